/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** How a language writes a value, `indent` being what its further lines begin with. */
interface Literals {
  readonly nothing: string;
  readonly yes: string;
  readonly no: string;
  text(text: string): string;
  /** Around the items of a list. */
  readonly list: readonly [string, string];
  object(names: readonly string[]): readonly [string, string];
  /** An object without a field. */
  readonly emptyObject: string;
  field(name: string, value: string): string;
  /** What follows the last item of a list on several lines. */
  readonly last: string;
}

const step = '  ';

export const typescriptLiterals: Literals = {
  nothing: 'null',
  yes: 'true',
  no: 'false',
  text: typescriptText,
  list: ['[', ']'],
  object: () => ['{', '}'],
  emptyObject: '{}',
  // `__proto__: value` would set the prototype instead of a field.
  field: (name, value) =>
    `${/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && name !== '__proto__' ? name : name === '__proto__' ? "['__proto__']" : typescriptText(name)}: ${value}`,
  last: ',',
};

export const pythonLiterals: Literals = {
  nothing: 'None',
  yes: 'True',
  no: 'False',
  text: pythonText,
  list: ['[', ']'],
  object: () => ['{', '}'],
  emptyObject: '{}',
  field: (name, value) => `${pythonText(name)}: ${value}`,
  last: ',',
};

export const phpLiterals: Literals = {
  nothing: 'null',
  yes: 'true',
  no: 'false',
  text: phpText,
  list: ['[', ']'],
  // Names that are numbers would make it a list.
  object: (names) => [names.some((name) => /^-?\d+$/.test(name)) ? '(object) [' : '[', ']'],
  // An empty array would become a JSON list.
  emptyObject: 'new stdClass()',
  field: (name, value) => `${phpText(name)} => ${value}`,
  last: ',',
};

/** The value as an expression of the language, an item a line. */
export function literal(value: Json, language: Literals, indent = ''): string {
  if (value === null) return language.nothing;
  if (typeof value === 'boolean') return value ? language.yes : language.no;
  if (typeof value === 'number') return JSON.stringify(value);
  if (typeof value === 'string') return language.text(value);
  const inside = indent + step;
  if (isList(value)) {
    const items = value.map((item) => literal(item, language, inside));
    return block(items, language.list, language.last, indent);
  }
  const fields = Object.entries(value).map(([name, item]) => language.field(name, literal(item, language, inside)));
  return fields.length === 0 ? language.emptyObject : block(fields, language.object(Object.keys(value)), language.last, indent);
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function block(items: readonly string[], [open, close]: readonly [string, string], last: string, indent: string): string {
  if (items.length === 0) return `${open}${close}`;
  return `${open}\n${items.map((item) => `${indent}${step}${item}${last}\n`).join('')}${indent}${close}`;
}

/** Characters that would break a line, hide, or turn the line around: written as escapes in every language. Not the joiner inside emoji. */
const unseen = /[\p{Cc}\u00a0\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

export function typescriptText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(unseen, (unit) => named[unit] ?? `\\u${hex(unit)}`)}'`;
}

export function pythonText(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replace(unseen, (unit) => named[unit] ?? `\\u${hex(unit)}`)}"`;
}

/** In single quotes PHP knows no escapes but those of the quote and the backslash; in double quotes it would put in variables. */
export function phpText(text: string): string {
  if (text.search(unseen) < 0) return `'${text.replace(/[\\']/g, '\\$&')}'`;
  return `"${text.replace(/[\\"$]/g, '\\$&').replace(unseen, (unit) => named[unit] ?? `\\u{${hex(unit)}}`)}"`;
}

/** A word that a POSIX shell takes exactly as it is. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function hex(unit: string): string {
  return unit.charCodeAt(0).toString(16).padStart(4, '0');
}
