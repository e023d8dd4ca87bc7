import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acceptedJson } from '../../src/http/index.ts';
import { allKinds, type Kind } from '../../src/kinds/index.ts';
import { canonicalJson } from '../../src/messages/claim.ts';
import { addressing } from './bodies.ts';

// What may be left out is read from the published JSON Schema of each kind, as a caller reads it.

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly oneOf?: readonly JsonSchema[];
  readonly type?: string;
  readonly default?: unknown;
  readonly const?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field that a body leaves out, with something written into it that says no more. */
interface Silent {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

/** Everything that could be written into this value without saying more. */
function silentIn(schema: JsonSchema, value: unknown, at: Silent['at'] = []): Silent[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => silentIn(schema.items ?? {}, item, [...at, index]));
  if (!isFields(value)) return [];
  const own = schema.oneOf?.find(({ properties = {} }) => properties.type?.const === value.type) ?? schema;
  return Object.entries(own.properties ?? {}).flatMap(([name, field]) => {
    if (value[name] !== undefined) return silentIn(field, value[name], [...at, name]);
    if (own.required?.includes(name) === true) return [];
    const values = [...(field.default === undefined ? [] : [field.default]), ...(field.type === 'string' ? [''] : [])];
    return values.map((written) => ({ at: [...at, name], value: written }));
  });
}

function written(body: unknown, { at: [step, ...rest], value }: Silent): unknown {
  if (step === undefined) return value;
  if (Array.isArray(body)) return body.map((item, index) => (index === step ? written(item, { at: rest, value }) : item));
  return isFields(body) ? { ...body, [step]: written(body[step], { at: rest, value }) } : body;
}

const withoutOptional = (schema: JsonSchema, body: unknown): unknown => {
  if (Array.isArray(body)) return body.map((item) => withoutOptional(schema.items ?? {}, item));
  if (!isFields(body)) return body;
  const own = schema.oneOf?.find(({ properties = {} }) => properties.type?.const === body.type) ?? schema;
  const { properties = {}, required = [] } = own;
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) =>
      required.includes(name) ? [[name, withoutOptional(properties[name] ?? {}, value)]] : [],
    ),
  );
};

/** The bodies of a kind with as little in them as possible, each with all that could be added and says nothing. */
function casesOf(kind: Kind) {
  const schema = acceptedJson(kind.schema) as JsonSchema;
  return Object.values(kind.examples).map((example) => {
    const body = withoutOptional(schema, { ...addressing, ...example });
    // An empty text that a field does not take says nothing either way.
    const silent = silentIn(schema, body).filter((one) => kind.schema.safeParse(written(body, one)).success);
    return { body, silent };
  });
}

test.each(allKinds)('$type: a body is the same with and without what says nothing [idem.same]', (kind) => {
  const same = (body: unknown) => canonicalJson(kind.schema.parse(body));
  for (const { body, silent } of casesOf(kind)) {
    fc.assert(
      fc.property(fc.subarray(silent), (added) => {
        const longer = added.reduce(written, body);
        expect(same(longer)).toBe(same(body));
        expect(kind.content(kind.schema.parse(longer))).toEqual(kind.content(kind.schema.parse(body)));
        // Another server parses it once more.
        expect(same(kind.schema.parse(longer))).toBe(same(body));
      }),
      { numRuns: 50 },
    );
  }
});

describe('what says nothing', () => {
  test('is all that the documents give a default or call an optional text', () => {
    const found = allKinds.flatMap((kind) =>
      casesOf(kind).flatMap(({ silent }) => silent.map(({ at, value }) => `${kind.type} ${at.join('.')} ${JSON.stringify(value)}`)),
    );
    for (const one of [
      'text quoted_from_me false',
      'image caption ""',
      'document filename ""',
      'video caption ""',
      'location name ""',
      'contact contacts.0.organization ""',
      'poll selectable_count 1',
      'reaction from_me false',
      'buttons footer ""',
      'list description ""',
    ])
      expect(found).toContain(one);
  });

  test('is nothing else', () => {
    const kind = allKinds.find(({ type }) => type === 'text');
    const parsed = (own: object) => kind?.schema.parse({ ...addressing, text: 'x', quoted_message_id: 'ABC', ...own });
    expect(parsed({ quoted_from_me: true })).not.toEqual(parsed({}));
    expect(parsed({ quoted_from_me: false })).toEqual(parsed({}));
  });
});
