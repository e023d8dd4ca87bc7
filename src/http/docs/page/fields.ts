import type { JsonSchema } from '../operation.ts';
import { type Html, html } from './html.ts';
import { inline } from './prose.ts';

/** The components of the document that `$ref` names. */
export type Schemas = Readonly<Record<string, JsonSchema>>;

interface Field {
  /** In the API's own notation: `sections[].rows[].title`. */
  readonly path: string;
  readonly required: boolean;
  readonly type: string;
  readonly limits: readonly string[];
  readonly description: string | null;
}

/** What an object holds, field by field, as a list. */
export function fieldList(schema: JsonSchema, schemas: Schemas): Html {
  const fields = fieldsOf(schema, schemas);
  if (fields.length === 0) return html``;
  return html`<dl class="fields">${fields.map(
    ({ path, required, type, limits, description }) =>
      html`<div><dt><code>${path}</code> <span class="type">${type}</span>${required ? html` <span class="required">required</span>` : null}</dt><dd>${
        description === null ? null : inline(description)
      }${limits.length === 0 ? null : html` <span class="limits">${limits.join(' · ')}</span>`}</dd></div>`,
  )}</dl>`;
}

/** Every field of an object, those of objects inside it behind it. */
export function fieldsOf(schema: JsonSchema, schemas: Schemas, prefix = ''): readonly Field[] {
  const whole = merged(resolved(schema, schemas), schemas);
  const required = Array.isArray(whole.required) ? whole.required : [];
  return Object.entries(objectOf(whole.properties)).flatMap(([name, property]) => {
    const field = resolved(objectOf(property), schemas);
    const path = `${prefix}${name}`;
    const own: Field = {
      path,
      required: required.includes(name),
      type: typeOf(field, schemas),
      limits: limitsOf(field),
      description: typeof field.description === 'string' ? field.description : null,
    };
    return [own, ...insideOf(field, path, schemas)];
  });
}

function insideOf(field: JsonSchema, path: string, schemas: Schemas): readonly Field[] {
  if (field.type === 'array') return insideOf(resolved(objectOf(field.items), schemas), `${path}[]`, schemas);
  const choices = choicesOf(field, schemas).filter((choice) => choice.properties !== undefined);
  if (choices.length === 1 && choices[0] !== undefined) return fieldsOf(choices[0], schemas, `${path}.`);
  if (choices.length > 1) {
    return choices.flatMap((choice) => {
      const constant = Object.values(objectOf(choice.properties))
        .map(objectOf)
        .find((property) => 'const' in property)?.const;
      return fieldsOf(choice, schemas, `${path}${constant === undefined ? '' : `(${String(constant)})`}.`);
    });
  }
  return field.properties === undefined && field.allOf === undefined ? [] : fieldsOf(field, schemas, `${path}.`);
}

function choicesOf(field: JsonSchema, schemas: Schemas): readonly JsonSchema[] {
  const choices = field.oneOf ?? field.anyOf;
  return Array.isArray(choices) ? choices.map((choice) => resolved(objectOf(choice), schemas)) : [];
}

function merged(schema: JsonSchema, schemas: Schemas): JsonSchema {
  if (!Array.isArray(schema.allOf)) return schema;
  const parts = schema.allOf.map((part) => merged(resolved(objectOf(part), schemas), schemas));
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map(({ properties }) => objectOf(properties))),
    required: parts.flatMap(({ required }) => (Array.isArray(required) ? required : [])),
  };
}

function resolved(schema: JsonSchema, schemas: Schemas): JsonSchema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined
    ? schema
    : { ...schemas[name], ...(schema.description === undefined ? {} : { description: schema.description }) };
}

function typeOf(field: JsonSchema, schemas: Schemas): string {
  if ('const' in field) return JSON.stringify(field.const);
  if (field.type === 'array') {
    const item = typeOf(resolved(objectOf(field.items), schemas), schemas);
    return item === 'object' ? 'list of objects' : `list of ${item}s`;
  }
  if (typeof field.type === 'string') return field.type;
  if (Array.isArray(field.type)) return field.type.join(' or ');
  const choices = [...new Set(choicesOf(field, schemas).map((choice) => typeOf(choice, schemas)))];
  return choices.length === 0 ? 'object' : choices.join(' or ');
}

function limitsOf(field: JsonSchema): readonly string[] {
  return [
    range(field.minLength, field.maxLength, 'characters'),
    range(field.minItems, field.maxItems, 'items'),
    range(field.minimum, field.maximum, ''),
    Array.isArray(field.enum) ? `one of ${field.enum.map(String).join(', ')}` : null,
    field.format === 'uuid' ? 'a UUID' : null,
    field.default === undefined ? null : `default ${JSON.stringify(field.default)}`,
  ].filter((limit) => limit !== null);
}

function range(from: unknown, to: unknown, unit: string): string | null {
  // What JSON Schema writes for "any integer" says nothing to a reader.
  const least = typeof from === 'number' && from > Number.MIN_SAFE_INTEGER ? from : null;
  const most = typeof to === 'number' && to < Number.MAX_SAFE_INTEGER ? to : null;
  if (most !== null) return `${least ?? 0} to ${most} ${unit}`.trimEnd();
  return least === null || least === 0 ? null : `at least ${least} ${unit}`.trimEnd();
}

function objectOf(value: unknown): JsonSchema {
  return typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
}
