// Writes the fields of messages as n8n shows them, from the gateway's OpenAPI document.

export interface Schema {
  readonly type?: string;
  readonly const?: string;
  readonly default?: unknown;
  readonly description?: string;
  readonly format?: string;
  readonly title?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': {
        readonly schema: { readonly $ref: string };
        readonly examples: Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>>;
      };
    };
  };
}

export interface Document {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Kind {
  readonly operation: string;
  readonly path: string;
  readonly about: Operation;
  readonly schema: Schema;
  readonly example: Readonly<Record<string, unknown>>;
}

type Shown = Readonly<Record<string, unknown>>;

const prefix = '/v1/messages/';
const capitals: Readonly<Record<string, string>> = { id: 'ID', url: 'URL', mime: 'MIME' };
/** Chosen by the node itself, for all kinds. */
const shared = new Set(['instance_id', 'to']);

/** The source of `nodes/MessagingGateway/messages.ts`. */
export function messagesSource(document: Document): string {
  const kinds = kindsOf(document);
  const operation = {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['message'] } },
    options: byName(
      kinds.map(({ operation: value, about }) => ({
        name: titleOf(value),
        value,
        description: about.summary,
        action: about.summary,
      })),
      'name',
    ),
    default: 'sendText',
  };
  const [first] = kinds;
  if (first === undefined) throw new Error('the document has no kinds of messages');
  const to = shown('to', first, true, { resource: ['message'] });
  const fields = kinds.flatMap(fieldsOf);
  const table = Object.fromEntries(kinds.map(({ operation: name, path, schema }) => [name, { path, fields: tableOf(schema) }]));
  return `// Written by \`npm run messages\` from the gateway's OpenAPI document.
import type { INodeProperties } from 'n8n-workflow';
import type { Kind } from './body';

export const messageOperations: INodeProperties = ${printed(operation)};

export const messageFields: INodeProperties[] = ${printed([to, ...fields])};

export const kinds: Readonly<Record<string, Kind>> = ${printed(table)};
`;
}

function kindsOf({ paths, components }: Document): readonly Kind[] {
  return Object.entries(paths).flatMap(([path, { post }]) => {
    if (!path.startsWith(prefix) || post === undefined) return [];
    const { schema, examples } = post.requestBody.content['application/json'];
    const body = components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    if (body === undefined) throw new Error(`${path} has no schema`);
    const example = Object.assign({}, ...Object.values(examples).map(({ value }) => value)) as Kind['example'];
    return [{ operation: post.operationId, path, about: post, schema: body, example }];
  });
}

function fieldsOf(kind: Kind): readonly Shown[] {
  const { required = [], properties = {} } = kind.schema;
  const show = { resource: ['message'], operation: [kind.operation] };
  const own = Object.keys(properties).filter((name) => !shared.has(name));
  const needed = own.filter((name) => required.includes(name)).flatMap((name) => neededField(name, kind, show));
  const key = {
    displayName: 'Idempotency Key',
    name: 'idempotencyKey',
    type: 'string',
    default: '',
    placeholder: 'e.g. order-1042:shipped',
    description:
      'Named after what the message is about, so that it goes out once in 24 hours whichever execution sends it: 8 to 255 letters, digits and . _ : ~ -. By default the key is made of the execution, this node and the place of the item.',
  };
  const optional = own.filter((name) => !required.includes(name)).map((name) => shown(name, kind, false, undefined));
  const additional = {
    ...{ displayName: 'Additional Fields', name: 'additionalFields', type: 'collection', placeholder: 'Add Field', default: {} },
    displayOptions: { show },
    options: byName([...optional, key], 'displayName'),
  };
  return [...needed, additional];
}

/** A field that every message of the kind has; for a list also a way to give it as JSON. */
function neededField(name: string, kind: Kind, show: Shown): readonly Shown[] {
  if (kind.schema.properties?.[name]?.type !== 'array') return [shown(name, kind, true, show)];
  const way = {
    ...{ displayName: `Specify ${titleOf(name)}`, name: `${name}_input`, type: 'options', noDataExpression: true },
    displayOptions: { show },
    options: [
      { name: 'Using Fields Below', value: 'fields' },
      { name: 'Using JSON', value: 'json' },
    ],
    default: 'fields',
  };
  const json = {
    ...{ displayName: `${titleOf(name)} (JSON)`, name: `${name}_json`, type: 'json', required: true, default: '[]' },
    displayOptions: { show: { ...show, [`${name}_input`]: ['json'] } },
    hint: `For example ${JSON.stringify(kind.example[name])}`,
  };
  return [way, shown(name, kind, true, { ...show, [`${name}_input`]: ['fields'] }), json];
}

function shown(name: string, { schema, example }: Pick<Kind, 'schema' | 'example'>, needed: boolean, show: Shown | undefined): Shown {
  const field = schema.properties?.[name];
  if (field === undefined) throw new Error(`there is no field ${name}`);
  const sample = example[name];
  const hint = typeof sample === 'string' && sample.length <= 60 && !sample.includes('\n') && sample !== '';
  const { description = '' } = field;
  const mayBeEmpty = /\bleft empty\b/i.test(description);
  const repeats = description === '' || description.toLowerCase() === `the ${titleOf(name).toLowerCase()}.`;
  return {
    ...{ displayName: titleOf(name), name, ...typeOf(name, field, sample) },
    ...(needed && !mayBeEmpty ? { required: true } : {}),
    ...(show === undefined ? {} : { displayOptions: { show } }),
    ...(hint ? { placeholder: `e.g. ${sample}` } : {}),
    ...(repeats ? {} : { description: sentence(description) }),
  };
}

function typeOf(name: string, field: Schema, sample: unknown): Shown {
  const number = field.anyOf?.find(({ type }) => type === 'number') ?? field;
  if (number.type === 'number' || number.type === 'integer') {
    const { minimum: minValue, maximum: maxValue } = number;
    return { type: 'number', typeOptions: { minValue, maxValue }, default: field.default ?? 0 };
  }
  if (field.type === 'boolean') return { type: 'boolean', default: false };
  if (field.type === 'string') {
    const long = (field.maxLength ?? 0) >= 1024 && field.format !== 'uri';
    return { type: 'string', ...(long ? { typeOptions: { rows: 3 } } : {}), default: '' };
  }
  if (field.type !== 'array' || field.items === undefined) throw new Error(`there is no input for ${name}`);
  const one = titleOf(name).replace(/s$/, '');
  const multiple = { multipleValues: true, multipleValueButtonText: `Add ${one}` };
  if (field.items.type === 'string') return { type: 'string', typeOptions: multiple, default: [] };
  const [example = {}] = Array.isArray(sample) ? (sample as readonly Shown[]) : [];
  return {
    ...{ type: 'fixedCollection', typeOptions: multiple, placeholder: `Add ${one}`, default: {} },
    options: [{ displayName: one, name: 'items', values: valuesOf(field.items, example) }],
  };
}

/** The inputs of one entry of a list. Where there are several sorts of entries, the first input chooses. */
function valuesOf(items: Schema, example: Shown): readonly Shown[] {
  const sorts = items.oneOf;
  if (sorts === undefined) {
    const names = Object.keys(items.properties ?? {});
    return sorted(names.map((name) => shown(name, { schema: items, example }, items.required?.includes(name) === true, undefined)));
  }
  const options = sorts.map(({ title = '', properties }) => ({
    name: titleOf(title.replace(/ \w+$/, '')),
    value: properties?.type?.const,
  }));
  const type = { displayName: 'Type', name: 'type', type: 'options', options: byName(options, 'name'), default: options[0]?.value };
  const names = new Set(sorts.flatMap(({ properties = {} }) => Object.keys(properties)));
  const rest = [...names].filter((name) => name !== 'type');
  const inputs = rest.map((name) => {
    const having = sorts.filter(({ properties }) => properties?.[name] !== undefined);
    const [schema = {}] = having;
    const everywhere = having.length === sorts.length;
    const show = everywhere ? undefined : { type: having.map(({ properties }) => properties?.type?.const) };
    return shown(name, { schema, example: {} }, true, show);
  });
  return sorted([type, ...inputs]);
}

/** n8n wants five inputs and more in the order of their names. */
function sorted(inputs: readonly Shown[]): readonly Shown[] {
  return inputs.length < 5 ? inputs : byName(inputs, 'displayName');
}

/** The fields as the node puts them into a body. */
function tableOf({ properties = {}, required = [] }: Schema): readonly Shown[] {
  return Object.entries(properties).flatMap(([name, { type, items }]) => {
    if (shared.has(name)) return [];
    const field = { name, required: required.includes(name) };
    if (type !== 'array' || items === undefined) return [field];
    if (items.type === 'string') return [{ ...field, items: 'values' }];
    const [first, ...others] = items.oneOf ?? [items];
    if (first === undefined) return [field];
    // What only some sorts of entries have is left out when it is empty.
    const all = [first, ...others];
    const merged = {
      properties: Object.assign({}, ...all.map((one) => one.properties)) as Schema['properties'] & object,
      required: (first.required ?? []).filter((one) => all.every((other) => other.required?.includes(one))),
    };
    return [{ ...field, items: tableOf(merged) }];
  });
}

function titleOf(name: string): string {
  const words = name.replace(/([a-z])([A-Z])/g, '$1_$2').split(/[_ ]/);
  return words.map((word) => capitals[word.toLowerCase()] ?? word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

/** As n8n wants descriptions: one sentence without its full stop, several with it; booleans begin with Whether. */
function sentence(text: string): string {
  const one = text
    .replace(/`/g, '')
    .replace(/\bid\b/g, 'ID')
    .replace(/^Set to true if /, 'Whether ');
  return /[.:] /.test(one.slice(0, -1)) ? one : one.replace(/\.$/, '');
}

function byName<T extends Shown>(options: readonly T[], by: string): readonly T[] {
  return options.toSorted((a, b) => String(a[by]).localeCompare(String(b[by]), 'en'));
}

/** A value as TypeScript. */
function printed(value: unknown, indent = ''): string {
  const deeper = `${indent}  `;
  if (typeof value === 'string') return value.includes("'") ? JSON.stringify(value) : `'${value.replace(/\\/g, '\\\\')}'`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Array.isArray(value)
    ? value.map((one) => printed(one, deeper))
    : Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [`${name}: ${printed(one, deeper)}`]));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (entries.length === 0) return `${open}${close}`;
  const line = Array.isArray(value) ? `[${entries.join(', ')}]` : `{ ${entries.join(', ')} }`;
  if (line.length + indent.length <= 120 && !line.includes('\n')) return line;
  return `${open}\n${entries.map((one) => `${deeper}${one},\n`).join('')}${indent}${close}`;
}
