import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { allKinds, describeIssues } from '../../src/kinds/index.ts';
import { addressing, refuse } from './bodies.ts';

/** The words after the field name. */
function sentence(schema: z.ZodType, value: unknown): string | undefined {
  const result = z.object({ f: schema }).safeParse({ f: value }, { reportInput: true });
  return result.success ? undefined : describeIssues(result.error)[0]?.message;
}

describe('describeIssues', () => {
  test("repeats a caller's own name for a field as text that can be stored, and not without end", () => {
    const fieldOf = (name: string) =>
      describeIssues(new z.ZodError([{ code: 'custom', path: [name], message: 'must be text', input: null }]));
    expect(fieldOf('a\u0000b\ud83d')).toEqual([{ field: 'a\ufffdb\ufffd', message: 'a\ufffdb\ufffd must be text' }]);
    expect(fieldOf('x'.repeat(100_000))).toEqual([{ field: 'x'.repeat(100), message: `${'x'.repeat(100)} must be text` }]);
  });

  test.each<[string, z.ZodType, unknown, string]>([
    ['missing', z.string(), undefined, 'f is required'],
    ['missing choice', z.enum(['a', 'b']), undefined, 'f is required'],
    ['missing union', z.union([z.string(), z.number()]), undefined, 'f is required'],
    ['null', z.string(), null, 'f must be a string'],
    ['NaN', z.number(), Number.NaN, 'f must be a number'],
    ['infinite', z.number(), Number.POSITIVE_INFINITY, 'f must be a number'],
    ['fraction', z.int(), 1.5, 'f must be an integer'],
    ['list', z.array(z.string()), {}, 'f must be a list'],
    ['object', z.object({}), [], 'f must be an object'],
    ['record', z.record(z.string(), z.string()), 'x', 'f must be an object'],
    ['boolean', z.boolean(), 'true', 'f must be a boolean'],
    ['choice', z.enum(['a', 'b']), 'c', 'f must be one of a, b'],
    ['single choice', z.literal('a'), 'c', 'f must be a'],
    ['union', z.union([z.string(), z.number()]), true, 'f must be a string or must be a number'],
    ['short string', z.string().min(2), 'a', 'f must be at least 2 characters'],
    ['long string', z.string().max(2), 'abc', 'f must be at most 2 characters'],
    ['short list', z.array(z.string()).min(1), [], 'f must have at least 1 items'],
    ['long list', z.array(z.string()).max(1), ['a', 'b'], 'f must have at most 1 items'],
    ['small number', z.number().min(1), 0, 'f must be at least 1'],
    ['large number', z.number().lt(1), 1, 'f must be less than 1'],
    ['multiple', z.number().multipleOf(2), 3, 'f must be a multiple of 2'],
    ['strict', z.strictObject({}), { x: 1 }, 'f must not have unknown fields'],
    ['pattern', z.string().regex(/a/), 'b', 'f must have the documented format'],
    ['own words', z.string().regex(/a/, { error: 'must hold an a' }), 'b', 'f must hold an a'],
  ])('%s', (_, schema, value, expected) => {
    expect(sentence(schema, value)).toBe(expected);
  });

  test('the body itself', () => {
    const [kind] = allKinds;
    const result = kind?.schema.safeParse([], { reportInput: true });
    expect(result?.error && describeIssues(result.error)).toEqual([{ field: '', message: 'The body must be an object' }]);
  });

  test('tells each field once', () => {
    const twice = z.string().min(3).regex(/^a/);
    const result = z.object({ f: twice }).safeParse({ f: 'b' }, { reportInput: true });
    expect(result.error?.issues).toHaveLength(2);
    expect(result.error && describeIssues(result.error)).toEqual([{ field: 'f', message: 'f must be at least 3 characters' }]);
  });

  test('tells at most 20 errors', () => {
    const sections = Array(10).fill({ title: '', rows: Array(10).fill({ title: '', row_id: '', description: '' }) });
    expect(refuse('list', { title: '', button_text: '', sections })).toHaveLength(20);
  });
});

const leaf = fc.oneof(
  fc.constantFrom<unknown>(null, true, '', ' ', 'reply', 'url', 'call', '👍', '__proto__', 0, -1, 1.5, 1e308, Number.POSITIVE_INFINITY),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.double(),
);
const fieldNames = [
  ...new Set(
    allKinds.flatMap((kind) => Object.keys(z.toJSONSchema(kind.schema, { io: 'input', unrepresentable: 'any' }).properties ?? {})),
  ),
  ...['type', 'id', 'rows', 'row_id', 'full_name', 'phone_number', 'email', '__proto__', 'constructor'],
];
const { hostile } = fc.letrec((tie) => ({
  hostile: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    leaf,
    fc.array(tie('hostile'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...fieldNames), tie('hostile'), { maxKeys: 5, noNullPrototype: true }),
  ),
}));

test('property: any body is parsed or told in sentences that name a field and hold nothing of the library [errors.position]', () => {
  let refused = 0;
  fc.assert(
    fc.property(
      fc.constantFrom(...allKinds),
      fc.dictionary(fc.constantFrom(...fieldNames), hostile, { noNullPrototype: true }),
      (kind, own) => {
        const result = kind.schema.safeParse({ ...own, ...addressing }, { reportInput: true });
        if (result.success) return void kind.content(result.data);
        refused++;
        const errors = describeIssues(result.error);
        expect(errors.length).toBeGreaterThan(0);
        expect(errors.length).toBeLessThanOrEqual(20);
        for (const { field, message } of errors) {
          expect(field).toMatch(/^[a-z_]+(\[\d+\]|\.[a-z_]+)*$/);
          expect(message.startsWith(`${field} `)).toBe(true);
          expect(message.slice(field.length)).toMatch(/^ (is required|must [a-z0-9].*)$/);
          expect(message).not.toMatch(/Invalid|expected |received|documented format|undefined|NaN/);
        }
      },
    ),
    { numRuns: 2000 },
  );
  expect(refused).toBeGreaterThan(1000);
});

describe('a hostile body of 128 KB', () => {
  const size = 131_072;
  const hostileValues: [string, unknown][] = [
    ['a long word', 'a'.repeat(size)],
    ['dots', '.'.repeat(size)],
    ['at-signs', '@'.repeat(size)],
    ['an address that never ends', `a@${'a.'.repeat(size / 2)}`],
    ['spaces', ' '.repeat(size)],
    ['text and spaces', `a${' '.repeat(size)}b`],
    ['digits', '1'.repeat(size)],
    ['emoji', '👨‍'.repeat(size / 8)],
    ['a long link', `https://example.com/${'%2f'.repeat(size / 3)}`],
    ['slashes', `https://example.com/${'/'.repeat(size)}`],
    ['a long list of nothing', Array(size / 2).fill(0)],
    ['a long list of objects', Array(size / 4).fill({})],
    ['equal strings', Array(size / 4).fill('a')],
    ['deep lists', JSON.parse('['.repeat(5000) + ']'.repeat(5000))],
  ];

  test.each(hostileValues)('%s in every place is answered at once', (_, value) => {
    const card = { full_name: value, phone_number: value, email: value, url: value };
    const bodies: object[] = [
      Object.fromEntries(fieldNames.map((name) => [name, value])),
      { contacts: [card] },
      { title: 'T', buttons: [{ type: 'call', text: value, phone_number: value }, { type: value }] },
      { title: 'T', button_text: 'B', sections: [{ title: 'S', rows: [{ title: value, row_id: value }] }] },
    ];
    // The processor's time of this process: what else the machine does is not counted.
    const started = process.cpuUsage();
    for (const kind of allKinds) {
      for (const body of bodies) {
        const result = kind.schema.safeParse({ ...body, ...addressing }, { reportInput: true });
        if (result.success) kind.content(result.data);
        else expect(describeIssues(result.error).length).toBeLessThanOrEqual(20);
      }
    }
    // 48 parses of some milliseconds at most; anything quadratic takes minutes.
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(3000);
  });
});
