import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As much of a JSON schema as docs/openapi.json uses for types. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly const?: string | boolean;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** What a method takes: a field of the body, a part of the path or of the query. */
export interface Field {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly name: string;
  /** Its summary, and the first paragraph of its description. */
  readonly about: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly pathFields: readonly Field[];
  readonly query: readonly Field[];
  /** Null without a body. */
  readonly body: { readonly schema: string; readonly fields: readonly Field[] } | null;
  readonly result: Schema;
  /** The kind of message that it sends; null for all else. */
  readonly kind: string | null;
  /** Doing it twice is the same as doing it once. */
  readonly repeatable: boolean;
}

/** The document as the clients are made from it. */
export interface ApiDocument {
  readonly operations: readonly Operation[];
  /** By name, without the envelopes. */
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly errorCodes: readonly string[];
  /** Schemas of what webhooks deliver. */
  readonly webhooks: readonly string[];
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
}

interface RawDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly parameters: Readonly<Record<string, Parameter>> };
}

/** Sends nothing and changes nothing, although it is a POST. */
const harmless = 'checkNumbers';

export function readDocument(): ApiDocument {
  const raw = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as RawDocument;
  const { schemas } = raw.components;
  const own = Object.entries(schemas).filter(([name]) => !/Success$|^ErrorEnvelope$|^ApiError$/.test(name));
  return {
    operations: Object.entries(raw.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => operationOf(raw, path, method.toUpperCase(), operation)),
    ),
    schemas: new Map(own),
    errorCodes: schemas.ErrorCode?.enum ?? [],
    webhooks: Object.keys(schemas).filter((name) => name.endsWith('Webhook')),
  };
}

function operationOf({ components }: RawDocument, path: string, method: string, operation: RawOperation): Operation {
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : (components.parameters[nameOf(one)] ?? one),
  );
  const fieldsIn = (place: string) =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name = '', required = false, description = '', schema = {} }) => ({ name, required, description, schema }));
  const body = operation.requestBody?.content['application/json'].schema;
  const bodyName = body === undefined ? null : nameOf(body);
  const success = components.schemas[`${pascal(operation.operationId)}Success`];
  return {
    name: operation.operationId,
    about: [`${operation.summary}.`, operation.description.split('\n\n')[0] ?? ''],
    method,
    path,
    pathFields: fieldsIn('path').map((field) => ({ ...field, name: 'instance_id' })),
    query: fieldsIn('query'),
    body: bodyName === null ? null : { schema: bodyName, fields: fieldsOf(components.schemas[bodyName] ?? {}) },
    result: success?.properties?.data ?? {},
    kind: /^\/v1\/messages\/(\w+)$/.exec(path)?.[1] ?? null,
    repeatable: method !== 'POST' || operation.operationId === harmless,
  };
}

export function fieldsOf({ properties = {}, required = [] }: Schema): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    ...{ name, schema, required: required.includes(name), description: schema.description ?? '' },
  }));
}

/** The name that a reference ends with. */
export function nameOf({ $ref = '' }: { readonly $ref?: string }): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** Whether it is one of the words that stand for true and false in a query. */
export function isSwitch(schema: Schema): boolean {
  return schema.enum?.includes('true') === true && schema.enum.includes('false');
}

export function pascal(text: string): string {
  return text.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase());
}

export function snake(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Lines of at most this length. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** Puts what is made into the hand-written part, in the place of the lines that name it. */
export function filled(template: string, parts: Readonly<Record<string, readonly string[]>>): string {
  const lines = template.split('\n').flatMap((line) => {
    const part = /<(\w+)>$/.exec(line)?.[1];
    return part === undefined ? [line] : (parts[part] ?? [line]);
  });
  return lines.join('\n');
}
