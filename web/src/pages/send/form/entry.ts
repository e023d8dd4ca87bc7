import type {
  ChoiceField,
  ConstantField,
  Field,
  GroupField,
  JsonField,
  ListField,
  NumberField,
  SwitchField,
  TextField,
  VariantsField,
} from './schema.ts';

/** A field with its current value. */
export type Entry = WrittenEntry | SwitchEntry | ConstantEntry | GroupEntry | ListEntry | VariantsEntry;

/** A field that keeps what was typed: a text, a number, a choice or JSON. */
export interface WrittenEntry {
  readonly field: TextField | NumberField | ChoiceField | JsonField;
  readonly text: string;
}

export interface SwitchEntry {
  readonly field: SwitchField;
  readonly on: boolean;
}

export interface ConstantEntry {
  readonly field: ConstantField;
}

export interface GroupEntry {
  readonly field: GroupField;
  readonly entries: readonly NamedEntry[];
}

export interface NamedEntry {
  readonly name: string;
  readonly required: boolean;
  readonly entry: Entry;
}

export interface ListEntry {
  readonly field: ListField;
  /** `key` identifies an item while others are added and removed. */
  readonly items: readonly { readonly key: number; readonly entry: Entry }[];
}

export interface VariantsEntry {
  readonly field: VariantsField;
  readonly chosen: number;
  readonly group: GroupEntry;
}

/** The field with this value; `undefined` leaves it empty. */
export function entryOf(field: Field, value?: unknown): Entry {
  switch (field.control) {
    case 'constant':
      return { field };
    case 'switch':
      return { field, on: typeof value === 'boolean' ? value : field.usual };
    case 'text':
    case 'number':
    case 'choice':
      return { field, text: value === undefined ? '' : String(value) };
    case 'json':
      return { field, text: value === undefined ? '' : JSON.stringify(value, null, 2) };
    case 'group':
      return groupEntry(field, value);
    case 'list': {
      const given: readonly unknown[] = Array.isArray(value) ? value : Array.from({ length: field.min }, () => undefined);
      return { field, items: given.map((item, key) => ({ key, entry: entryOf(field.item, item) })) };
    }
    case 'variants': {
      const chosen = Math.max(
        0,
        field.variants.findIndex((variant) => hasConstantsOf(variant, value)),
      );
      return variantsEntry(field, chosen, value);
    }
  }
}

export function groupEntry(field: GroupField, value?: unknown): GroupEntry {
  const values = valuesOf(value);
  return { field, entries: field.fields.map(({ field, ...named }) => ({ ...named, entry: entryOf(field, values[named.name]) })) };
}

/** The list with one more empty item. */
export function withItem({ field, items }: ListEntry): ListEntry {
  const key = 1 + Math.max(-1, ...items.map((item) => item.key));
  return { field, items: [...items, { key, entry: entryOf(field.item) }] };
}

/** Switches to another variant and keeps the values of fields that both have. */
export function withVariant({ field, chosen, group }: VariantsEntry, next: number): VariantsEntry {
  return next === chosen ? { field, chosen, group } : variantsEntry(field, next, bodyOf(group));
}

/** The value of a group as it is sent; optional fields that are empty are left out. */
export function bodyOf({ entries }: GroupEntry): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, required, entry } of entries) {
    const value = valueIn(entry, required);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

function valueIn(entry: Entry, required: boolean): unknown {
  if ('on' in entry) return entry.on !== entry.field.usual || required ? entry.on : undefined;
  if ('text' in entry) return writtenValue(entry, required);
  if ('items' in entry) {
    if (entry.items.length === 0 && !required) return undefined;
    // An empty item keeps its position, so that positions in the server's answer match those in the form.
    return entry.items.map((item) => valueIn(item.entry, true) ?? '');
  }
  if ('group' in entry) return bodyOf(entry.group);
  if ('entries' in entry) {
    const body = bodyOf(entry);
    return Object.keys(body).length === 0 && !required ? undefined : body;
  }
  return entry.field.value;
}

function writtenValue({ field, text }: WrittenEntry, required: boolean): unknown {
  if (text === '') return required && field.control === 'text' && field.mayBeEmpty ? '' : undefined;
  switch (field.control) {
    case 'text':
      return field.numeric ? numberIfExact(text) : text;
    case 'number':
      return numberIfExact(text);
    case 'choice':
      return field.values.find((value) => String(value) === text) ?? text;
    case 'json':
      return parsedOr(text);
  }
}

/** Converts a text that is exactly a number; any other text is sent as it is, and the server judges it. */
function numberIfExact(text: string): unknown {
  return String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function variantsEntry(field: VariantsField, chosen: number, value: unknown): VariantsEntry {
  const variant = field.variants[chosen];
  if (variant === undefined) throw new Error('a choice between groups has none');
  return { field, chosen, group: groupEntry(variant, value) };
}

function hasConstantsOf({ fields }: GroupField, value: unknown): boolean {
  const values = valuesOf(value);
  return fields.every(({ name, field }) => field.control !== 'constant' || values[name] === field.value);
}

function valuesOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
