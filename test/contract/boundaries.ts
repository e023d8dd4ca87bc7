import type { SpecSchema } from './spec.ts';

type Json = Record<string, unknown>;
type Path = readonly (string | number)[];

/** A limit of the document, with the values on either side of it that the API must judge as the document says. */
export interface Boundary {
  /** For example `buttons[0].text maxLength`. */
  readonly name: string;
  /** A body just within the limit; null when such a value cannot be made from the schema alone. */
  readonly within: Json | null;
  readonly beyond: Json;
}

/** Every limit in the schema of a request body. `body` must be valid and hold one value of each alternative of a union in a list. */
export function boundariesOf(schema: SpecSchema, body: Json): Boundary[] {
  const found: Boundary[] = [];
  const note: Note = (path, limit, within, beyond) =>
    found.push({
      name: `${spell(path)} ${limit}`,
      within: within === undefined ? null : put(body, path, within),
      beyond: put(body, path, beyond),
    });
  visit(schema, body, [], note);
  return found;
}

type Note = (path: Path, limit: string, within: unknown, beyond: unknown) => unknown;

function visit(schema: SpecSchema, value: unknown, path: Path, note: Note): void {
  for (const option of schema.anyOf ?? []) visit(option, value, path, note);
  for (const option of schema.oneOf ?? []) if (matches(option, value)) visit(option, value, path, note);
  if (schema.enum !== undefined) note(path, 'enum', schema.enum.at(-1), 'no such value');
  if (schema.const !== undefined) note(path, 'const', schema.const, 'no such value');
  visitNumber(schema, path, note);
  if (schema.type === 'string') visitString(schema, path, note);
  if (schema.type === 'array') visitArray(schema, value, path, note);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    visit(property, (value as Json | undefined)?.[name], [...path, name], note);
  }
}

function visitNumber({ minimum, maximum }: SpecSchema, path: Path, note: Note): void {
  if (typeof minimum === 'number' && minimum !== Number.MIN_SAFE_INTEGER) note(path, 'minimum', minimum, minimum - 1);
  if (typeof maximum === 'number' && maximum !== Number.MAX_SAFE_INTEGER) note(path, 'maximum', maximum, maximum + 1);
}

function visitString(schema: SpecSchema, path: Path, note: Note): void {
  const { minLength, maxLength } = schema;
  if (typeof maxLength === 'number') {
    note(path, 'maxLength', stringOf(schema, maxLength), stringOf(schema, maxLength + 1) ?? 'x'.repeat(maxLength + 1));
  }
  if (typeof minLength === 'number' && minLength > 0) note(path, 'minLength', stringOf(schema, minLength), 'x'.repeat(minLength - 1));
}

function visitArray(schema: SpecSchema, value: unknown, path: Path, note: Note): void {
  const { items, minItems, maxItems } = schema;
  const values = Array.isArray(value) ? value : [];
  const fill = (count: number) => Array.from({ length: count }, (_, index) => vary(values[0], index));
  if (typeof maxItems === 'number') note(path, 'maxItems', fill(maxItems), fill(maxItems + 1));
  if (typeof minItems === 'number') note(path, 'minItems', fill(minItems), fill(minItems - 1));
  if (schema.uniqueItems === true) note(path, 'uniqueItems', undefined, [values[0], values[0]]);
  if (items === undefined) return;
  const alternatives = items.oneOf ?? [items];
  for (const item of alternatives) {
    const index = values.findIndex((one) => matches(item, one));
    if (index === -1) throw new Error(`the body has no value for an alternative of ${spell(path)}`);
    visit(item, values[index], [...path, index], note);
  }
}

/** A string of this many characters that fits the pattern and format; undefined when none of the usual shapes does. */
function stringOf({ pattern, format }: SpecSchema, length: number): string | undefined {
  // A character outside the basic plane shows whether code points are counted, where no pattern forbids it.
  const shapes = format === 'uri' ? ['https://example.com/'] : pattern === undefined ? ['𝔸'] : ['x', 'a/x', 'ab@example.c'];
  for (const shape of shapes) {
    const missing = length - [...shape].length;
    const text = missing < 0 ? null : shape + ([...shape].at(-1)?.replace('/', 'x') ?? '').repeat(missing);
    if (text !== null && (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(text))) return text;
  }
  return undefined;
}

/** Whether a value is of this alternative, told by its constants. */
function matches(schema: SpecSchema, value: unknown): boolean {
  return Object.entries(schema.properties ?? {}).every(
    ([name, property]) => property.const === undefined || (value as Json | undefined)?.[name] === property.const,
  );
}

/** The same value again, different in what must be unique. */
function vary(value: unknown, index: number): unknown {
  if (typeof value === 'string') return /^\d+$/.test(value) ? String(BigInt(value) + BigInt(index)) : `${value} ${index}`;
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => vary(item, index));
  if (typeof value !== 'object' || value === null) return value;
  const unique = /^(id|row_id|rows)$/;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unique.test(name) ? vary(one, index) : one]));
}

function put(body: Json, path: Path, value: unknown): Json {
  const copy = structuredClone(body);
  let place: Record<string | number, unknown> = copy;
  for (const step of path.slice(0, -1)) place = place[step] as Record<string | number, unknown>;
  place[path.at(-1) ?? ''] = value;
  return copy;
}

function spell(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
}
