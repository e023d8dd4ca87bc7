import type { Seeded } from './seeded.ts';

/** A piece of JSON text, valid or not, that stands where a value would. */
class Piece {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const piece = (text: string) => new Piece(text);

/** Values that programs trip over. */
const nasty: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 53,
  -(2 ** 63),
  piece('1e999'),
  piece('-1e999'),
  piece('-0'),
  piece('NaN'),
  piece('Infinity'),
  piece('123456789012345678901234567890'),
  piece('0x10'),
  piece('01'),
  piece('.5'),
  '',
  ' ',
  '\n\t',
  '\u0000',
  'a\u0000b',
  '\u202e\u200b\ufeff',
  piece('"\\ud800"'),
  piece('"\\udfff\\ud800x"'),
  piece('"\\u0000"'),
  piece('"\\x"'),
  piece('"unterminated'),
  '𝔸👨‍👩‍👧‍👦e\u0301',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  "'; drop table claims; --",
  '$1',
  '{{7*7}}',
  '00000000-0000-0000-0000-000000000000',
  'not-a-uuid',
  '491701230000',
  '491701230001',
  '491701230002',
  '+49 (170) 123-0100',
  '0491701234567',
  '४९१७०१२३४५६७',
  'http://localhost/',
  'http://[::1]/x',
  'http://169.254.169.254/latest/meta-data',
  'https://user:pass@files.example.com/a',
  'ftp://files.example.com/a',
  'javascript:alert(1)',
  'https://files.example.com/%00',
  'https://例え.テスト/画像.png',
  'text/html; charset=utf-8',
  [],
  {},
  [[]],
  [null],
  { length: 1 },
  { toString: null },
  piece('{"__proto__":{"admin":true}}'),
  piece('{"constructor":{"prototype":{"admin":true}}}'),
  piece('{"a":1,"a":2}'),
];

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'instance_id',
  'to',
  'url',
  'text',
  'length',
  '',
  '\u0000',
  'quoted_message_id',
  'quoted_from_me',
  'mime_type',
  'label',
];

/** A copy of the body with a few things wrong with it, as JSON text (or nearly). */
export function mutated(body: unknown, random: Seeded): string {
  let value = clone(body);
  for (let changes = 1 + random.below(3); changes > 0; changes--) value = changed(value, random, 0);
  return written(value, random);
}

function changed(value: unknown, random: Seeded, depth: number): unknown {
  const container = typeof value === 'object' && value !== null && !(value instanceof Piece);
  if (!container || random.chance(0.05)) return replacement(value, random);
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.25)) return grown(value, random);
    const at = random.below(value.length);
    if (random.chance(0.1)) value.splice(at, 1);
    else value[at] = changed(value[at], random, depth + 1);
    return value;
  }
  const fields = value as Record<string, unknown>;
  const present = Object.keys(fields);
  if (present.length === 0 || random.chance(0.15)) {
    define(fields, random.pick(names), clone(random.pick(nasty)));
    return fields;
  }
  const name = random.pick(present);
  if (random.chance(0.12)) delete fields[name];
  else define(fields, name, changed(fields[name], random, depth + 1));
  return fields;
}

function replacement(value: unknown, random: Seeded): unknown {
  switch (random.below(7)) {
    case 0:
      return typeof value === 'string'
        ? value.repeat(2 + random.below(random.chance(0.1) ? 400 : 20)).slice(0, 20_000)
        : random.below(2 ** 31) - 2 ** 30;
    case 1:
      return typeof value === 'string' ? [value] : JSON.stringify(value ?? null);
    case 2:
      return typeof value === 'string' ? spoiled(value, random) : typeof value === 'number' ? -value : 1;
    case 3:
      return nested(random);
    default:
      return clone(random.pick(nasty));
  }
}

function spoiled(text: string, random: Seeded): string {
  const at = random.below(text.length + 1);
  const inserted = String.fromCodePoint(
    random.pick([0, 9, 10, 0x7f, 0x85, 0xa0, 0xd800, 0xfffe, 0x1f600, 0x202e, 34, 92, random.below(0x10000)]),
  );
  return text.slice(0, at) + inserted + text.slice(at + random.below(2));
}

function grown(list: unknown[], random: Seeded): unknown[] {
  const item = clone(list[0] ?? random.pick(nasty));
  return [...list, ...Array.from({ length: 1 + random.below(60) }, () => clone(item))];
}

function nested(random: Seeded): Piece {
  const depth = 10 + random.below(random.chance(0.02) ? 20_000 : 100);
  return random.chance(0.5) ? piece('['.repeat(depth) + ']'.repeat(depth)) : piece(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
}

// An assignment to __proto__ would change the prototype instead of adding a field.
function define(fields: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
}

function clone(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clone);
  if (typeof value !== 'object' || value === null || value instanceof Piece) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clone(item)]));
}

/** JSON text of a value with pieces; now and then a field is said twice. */
function written(value: unknown, random: Seeded): string {
  if (value instanceof Piece) return value.text;
  if (Array.isArray(value)) return `[${value.map((item) => written(item, random)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}:${written(item, random)}`);
  if (fields.length > 0 && random.chance(0.03)) fields.push(random.pick(fields));
  return `{${fields.join(',')}}`;
}
