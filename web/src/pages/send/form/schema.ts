/** What a form asks for, read from a JSON Schema. Nothing here knows a message kind. */
export type Field =
  | TextField
  | NumberField
  | SwitchField
  | ChoiceField
  | ConstantField
  | GroupField
  | ListField
  | VariantsField
  | JsonField;

export interface TextField {
  readonly control: 'text';
  readonly description: string | null;
  /** In code points. */
  readonly minLength: number;
  /** Whether nothing at all is a value that it takes. */
  readonly mayBeEmpty: boolean;
  readonly maxLength: number | null;
  readonly format: string | null;
  /** The text may also be a number, which is then sent as one. */
  readonly numeric: boolean;
}

export interface NumberField {
  readonly control: 'number';
  readonly description: string | null;
  readonly integer: boolean;
  readonly min: number | null;
  readonly max: number | null;
  /** The default value. */
  readonly usual: number | null;
}

export interface SwitchField {
  readonly control: 'switch';
  readonly description: string | null;
  /** The default value. */
  readonly usual: boolean;
}

export interface ChoiceField {
  readonly control: 'choice';
  readonly description: string | null;
  readonly values: readonly (string | number)[];
}

/** A constant: it has one possible value and no control. */
export interface ConstantField {
  readonly control: 'constant';
  readonly value: unknown;
}

export interface GroupField {
  readonly control: 'group';
  readonly title: string | null;
  readonly description: string | null;
  readonly fields: readonly NamedField[];
}

export interface NamedField {
  readonly name: string;
  readonly required: boolean;
  readonly field: Field;
}

export interface ListField {
  readonly control: 'list';
  readonly description: string | null;
  readonly item: Field;
  readonly min: number;
  readonly max: number | null;
}

/** One of several groups, which differ in their constants. */
export interface VariantsField {
  readonly control: 'variants';
  readonly variants: readonly GroupField[];
}

/** Anything without a control of its own; it is written as JSON. */
export interface JsonField {
  readonly control: 'json';
  readonly description: string | null;
}

type Schema = Readonly<Record<string, unknown>>;

export function groupOf(schema: Schema): GroupField {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(objectOf(schema.properties)).map(([name, property]) => ({
    name,
    required: required.includes(name),
    field: fieldOf(objectOf(property)),
  }));
  return { control: 'group', title: textOf(schema.title), description: descriptionOf(schema), fields };
}

function fieldOf(schema: Schema): Field {
  const description = descriptionOf(schema);
  if ('const' in schema) return { control: 'constant', value: schema.const };
  if (Array.isArray(schema.enum) && schema.enum.every(isChoice)) return { control: 'choice', description, values: schema.enum };
  switch (schema.type) {
    case 'string':
      return textField(schema, description, false);
    case 'number':
    case 'integer':
      return {
        control: 'number',
        description,
        integer: schema.type === 'integer',
        min: numberOf(schema.minimum),
        max: numberOf(schema.maximum),
        usual: numberOf(schema.default),
      };
    case 'boolean':
      return { control: 'switch', description, usual: schema.default === true };
    case 'object':
      return schema.properties === undefined ? { control: 'json', description } : groupOf(schema);
    case 'array':
      return {
        control: 'list',
        description,
        item: fieldOf(objectOf(schema.items)),
        min: numberOf(schema.minItems) ?? 0,
        max: numberOf(schema.maxItems),
      };
    default:
      return unionField(schema, description);
  }
}

function unionField(schema: Schema, description: string | null): Field {
  const { type: types, ...rest } = schema;
  const union = schema.oneOf ?? schema.anyOf ?? (Array.isArray(types) ? types.map((type) => ({ ...rest, type })) : []);
  // A field that may be null may also be absent; the form leaves it out.
  const choices = (Array.isArray(union) ? union.map(objectOf) : []).filter(({ type }) => type !== 'null');
  const [only] = choices;
  if (choices.length === 1 && only !== undefined) return fieldOf({ description: schema.description, ...only });
  const text = choices.find(({ type }) => type === 'string');
  if (text !== undefined && choices.every(({ type }) => type === 'string' || type === 'number' || type === 'integer')) {
    return textField(text, description, true);
  }
  if (choices.length > 0 && choices.every(({ type }) => type === 'object')) return { control: 'variants', variants: choices.map(groupOf) };
  return { control: 'json', description };
}

function textField(schema: Schema, description: string | null, numeric: boolean): TextField {
  const minLength = numberOf(schema.minLength) ?? 0;
  const pattern = textOf(schema.pattern);
  return {
    control: 'text',
    description,
    minLength,
    mayBeEmpty: minLength === 0 && !numeric && schema.format === undefined && (pattern === null || new RegExp(pattern, 'u').test('')),
    maxLength: numberOf(schema.maxLength),
    format: textOf(schema.format),
    numeric,
  };
}

function descriptionOf({ description }: Schema): string | null {
  return textOf(description);
}

function objectOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function isChoice(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}
