// What the site and the Postman collection read of docs/openapi.json.

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}
export interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Example {
  readonly summary: string;
  readonly value: unknown;
}
interface Content {
  readonly 'application/json': { readonly schema: Schema; readonly examples?: Readonly<Record<string, Example>> };
}
interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Content;
}
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}
export interface ApiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly servers: readonly [{ readonly url: string }];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

/** The name of the schema that this one refers to. */
export function refName({ $ref }: { readonly $ref?: string }): string | null {
  return $ref?.split('/').at(-1) ?? null;
}

/** A parameter, response or schema, or what it refers to. */
export function resolve<T extends { readonly $ref?: string }>({ components }: ApiDocument, one: T): T {
  const [, , kind = '', name = ''] = one.$ref?.split('/') ?? [];
  if (one.$ref === undefined) return one;
  const found = (components as unknown as Readonly<Record<string, Readonly<Record<string, T>>>>)[kind]?.[name];
  if (found === undefined) throw new Error(`${one.$ref} is not in the document`);
  return found;
}

/** The body of the operation's first example; undefined where there is none. */
export function exampleBody(operation: Operation): unknown {
  return Object.values(operation.requestBody?.content['application/json'].examples ?? {})[0]?.value;
}

/** The id that examples give to a number. */
export function exampleInstance({ paths }: ApiDocument): string {
  const bodies = Object.values(paths).flatMap((methods) => Object.values(methods).map(exampleBody));
  const [id] = bodies.flatMap((body) => /"instance_id":"([^"]+)"/.exec(JSON.stringify(body) ?? '')?.[1] ?? []);
  if (id === undefined) throw new Error('no example names a number');
  return id;
}
