/** A schema of the document; what tests look at is spelled out. */
export interface SpecSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, SpecSchema>>;
  readonly required?: readonly string[];
  readonly items?: SpecSchema;
  readonly allOf?: readonly SpecSchema[];
  readonly oneOf?: readonly SpecSchema[];
  readonly anyOf?: readonly SpecSchema[];
  readonly [keyword: string]: unknown;
}

interface Media {
  readonly 'application/json': { readonly schema: SpecSchema; readonly examples?: Readonly<Record<string, { readonly value: unknown }>> };
}

interface SpecParameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly schema: SpecSchema;
}

interface SpecResponse {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: Media;
}

interface Ref {
  readonly $ref: string;
}

interface SpecOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly (SpecParameter | Ref)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Media };
  readonly responses: Readonly<Record<string, SpecResponse | Ref>>;
}

export interface SpecDocument {
  readonly info: object;
  readonly servers: readonly unknown[];
  readonly security: readonly unknown[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, SpecOperation>>>>;
  readonly webhooks: Readonly<
    Record<string, { readonly post: Pick<SpecOperation, 'operationId' | 'tags' | 'parameters' | 'requestBody'> }>
  >;
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, SpecSchema>>;
    readonly responses: Readonly<Record<string, SpecResponse>>;
    readonly parameters: Readonly<Record<string, SpecParameter>>;
    readonly headers: object;
  };
}

/** An operation with everything that it refers to put in place. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: SpecOperation;
  readonly parameters: readonly SpecParameter[];
  readonly body: SpecSchema | null;
  readonly bodyExamples: Readonly<Record<string, { readonly value: unknown }>>;
  readonly responses: Readonly<Record<string, ReadResponse>>;
}

interface ReadResponse {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly schema: SpecSchema;
  readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
  /** The error codes it may carry; none for a success. */
  readonly codes: readonly string[];
}

/** What a reference points at; anything else as it is. */
export function resolve<T extends object>(document: SpecDocument, value: T | Ref): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  let target: unknown = document;
  for (const step of value.$ref.slice(2).split('/')) target = (target as Record<string, unknown>)[step];
  return target as T;
}

/** Every operation of the document. */
export function operationsOf(document: SpecDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const media = operation.requestBody?.content['application/json'];
      return {
        method: method.toUpperCase(),
        path,
        operation,
        parameters: (operation.parameters ?? []).map((parameter) => resolve<SpecParameter>(document, parameter)),
        body: media === undefined ? null : resolve<SpecSchema>(document, media.schema),
        bodyExamples: media?.examples ?? {},
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, response]) => [
            status,
            readResponse(document, resolve<SpecResponse>(document, response)),
          ]),
        ),
      };
    }),
  );
}

function readResponse(document: SpecDocument, { description, headers, content }: SpecResponse): ReadResponse {
  const { schema, examples = {} } = content['application/json'];
  const codes = [...description.matchAll(/^`(\w+)`: /gm)].map(([, code = '']) => code);
  return { headers, schema: resolve(document, schema), examples, codes };
}
