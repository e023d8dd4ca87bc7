import { plain } from './markdown.ts';
import { type ApiDocument, type Parameter, refName, resolve, type Schema } from './openapi.ts';

export function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: where, required = false, description = '', schema }) =>
    row([`\`${name}\``, where, required ? 'yes' : 'no', cell(description, schema)]),
  );
  return ['| parameter | in | required | |', '|---|---|---|---|', ...rows].join('\n');
}

/** The fields of a schema, those inside others too: `contacts[].email`. */
export function fieldTable(document: ApiDocument, schema: Schema): string {
  const rows = fields(document, schema, '', []);
  if (rows.length === 0) return 'No fields.';
  return ['| field | type | required | |', '|---|---|---|---|', ...rows].join('\n');
}

/** `seen` ends a schema that contains itself. */
function fields(document: ApiDocument, schema: Schema, prefix: string, seen: readonly string[]): readonly string[] {
  const name = refName(schema);
  if (name !== null && seen.includes(name)) return [];
  const path = name === null ? seen : [...seen, name];
  const known = resolve(document, schema);
  const parts = [...(known.oneOf ?? []), ...(known.anyOf ?? []), ...(known.allOf ?? [])];
  const own = Object.entries(known.properties ?? {}).flatMap(([field, one]) => {
    const required = known.required?.includes(field) ? 'yes' : 'no';
    const target = resolve(document, one);
    const line = row([`\`${prefix}${field}\``, typeOf(document, one), required, cell(one.description ?? target.description ?? '', target)]);
    return [line, ...inside(document, one, `${prefix}${field}`, path)];
  });
  // Variants that share a field list it once.
  return [...new Set([...own, ...parts.flatMap((one) => fields(document, one, prefix, path))])];
}

function inside(document: ApiDocument, schema: Schema, prefix: string, seen: readonly string[]): readonly string[] {
  const known = resolve(document, schema);
  if (known.items !== undefined) return inside(document, known.items, `${prefix}[]`, seen);
  return fields(document, schema, `${prefix}.`, seen);
}

function typeOf(document: ApiDocument, schema: Schema): string {
  const known = resolve(document, schema);
  if (known.const !== undefined) return `\`${JSON.stringify(known.const)}\``;
  if (known.items !== undefined) return `array of ${typeOf(document, known.items)}`;
  const parts = known.oneOf ?? known.anyOf;
  if (parts !== undefined) return [...new Set(parts.map((one) => typeOf(document, one)))].join(' or ');
  const types = typeof known.type === 'string' ? [known.type] : (known.type ?? ['object']);
  return `${types.join(' or ')}${known.format === undefined ? '' : ` (${known.format})`}`;
}

function cell(description: string, schema: Schema): string {
  const values = schema.enum?.filter((value) => !description.includes(`\`${String(value)}\``)) ?? [];
  const notes = [
    range('characters', schema.minLength, schema.maxLength),
    range('', schema.minimum, schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum),
    range('items', schema.minItems, schema.maxItems),
    schema.default === undefined ? '' : `Default: \`${JSON.stringify(schema.default)}\`.`,
    values.length === 0 ? '' : `One of ${values.map((value) => `\`${String(value)}\``).join(', ')}.`,
  ];
  return [description, ...notes].filter((text) => text !== '').join(' ');
}

function range(unit: string, from: number | undefined, to: number | undefined): string {
  if (from === undefined && to === undefined) return '';
  const text = to === undefined ? `At least ${from}` : from === undefined ? `At most ${to}` : `${from} to ${to}`;
  return `${text}${unit === '' ? '' : ` ${unit}`}.`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(plain).join(' | ')} |`;
}
