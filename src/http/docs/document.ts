import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../core/index.ts';
import { acceptedJson } from './accepted-json.ts';
import { envelopeSchemas } from './envelope.ts';
import { headers } from './headers.ts';
import type { JsonSchema, OperationDocs } from './operation.ts';
import { interfaceVersion, overview, tagDescriptions } from './overview.ts';
import { responsesOf } from './responses.ts';
import { shareResponses } from './shared-responses.ts';

/** A route that carries docs, as Fastify announced it. */
export interface DocumentedRoute {
  readonly method: string;
  /** In Fastify's notation: `/v1/instances/:id`. */
  readonly url: string;
  readonly schema: FastifySchema;
  readonly docs: OperationDocs;
  /** The schema of a success's `data`. */
  readonly data: z.ZodType;
}

/** What the document says of the interface as a whole. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier: string };
}

export interface DocumentOptions {
  /** Whether Idempotency-Key is enabled on this deployment. */
  readonly idempotency: boolean;
}

/** The OpenAPI 3.1 document of these routes, without `servers`. Everything in it comes from what validates, from the catalogue, or from the routes' docs. */
export function buildDocument(
  routes: readonly DocumentedRoute[],
  options: DocumentOptions,
): Record<string, unknown> & { readonly info: ApiInfo } {
  const answers = answerSchemas(routes);
  const operations = routes.map((route) => {
    const codes = route.docs.errors.filter((code) => options.idempotency || code !== 'idempotency_key_reused');
    return { route, codes, responses: responsesOf(route.docs, answers.data[route.docs.operationId] ?? {}, codes) };
  });
  const shared = shareResponses(operations.map((operation) => operation.responses));
  const paths: Record<string, Record<string, unknown>> = {};
  const bodies: Record<string, JsonSchema> = {};
  for (const { route, codes, responses } of operations) {
    const path = route.url.replace(/:(\w+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = {
      ...operationHead(route, codes),
      ...requestBody(route, bodies),
      responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, shared.place(status, response)])),
    };
  }

  const used = new Set(routes.map((route) => route.docs.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Messaging Gateway API',
      version: interfaceVersion,
      description: overview(options),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ apikey: [] }],
    tags: Object.entries(tagDescriptions).flatMap(([name, description]) =>
      used.has(name as keyof typeof tagDescriptions) ? [{ name, description }] : [],
    ),
    paths,
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'A key of the account, as it was shown when it was created.' },
      },
      parameters: options.idempotency ? { ...parameters, IdempotencyKey: idempotencyKey } : parameters,
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => options.idempotency || name !== 'IdempotencyReplayed')),
      schemas: { ...bodies, ...envelopeSchemas, ...answers.components },
      responses: shared.components,
    },
  };
}

const parameters = {
  InstanceId: {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The `instance_id`. One that the account does not have, or that is not a UUID, gives 404 `instance_not_found`.',
    schema: { type: 'string', format: 'uuid' },
  },
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  // No example value: the docs page would prefill it, and the second message tried there would be taken for the first.
  description:
    'Your own name for this message, for example `order-1042:shipped`: for 24 hours, a repeat returns the first result and sends nothing.',
  schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[A-Za-z0-9._:~-]+$' },
};

function operationHead({ url, schema, docs }: DocumentedRoute, codes: readonly ErrorCode[]): Record<string, unknown> {
  const all: unknown[] = [...url.matchAll(/:id\b/g)].map(() => ({ $ref: '#/components/parameters/InstanceId' }));
  if (codes.includes('idempotency_key_reused')) all.push({ $ref: '#/components/parameters/IdempotencyKey' });
  for (const parameter of docs.query ?? []) all.push({ in: 'query', required: false, ...parameter });
  if (schema.querystring instanceof z.ZodType) all.push(...queryParameters(inputSchema(schema.querystring, docs)));
  return {
    operationId: docs.operationId,
    tags: [docs.tag],
    summary: docs.summary,
    description: docs.description,
    ...(codes.includes('missing_api_key') ? {} : { security: [] }),
    ...(all.length === 0 ? {} : { parameters: all }),
  };
}

function queryParameters(query: z.core.JSONSchema.BaseSchema): object[] {
  return Object.entries(query.properties ?? {}).map(([name, property]) => {
    const { description, ...schema } = property as z.core.JSONSchema.BaseSchema;
    return {
      name,
      in: 'query',
      required: query.required?.includes(name) ?? false,
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

/** The request body; its schema becomes a component named after the operation. */
function requestBody({ schema, docs }: DocumentedRoute, bodies: Record<string, JsonSchema>): Record<string, unknown> {
  if (!(schema.body instanceof z.ZodType)) return {};
  const name = `${docs.operationId.charAt(0).toUpperCase()}${docs.operationId.slice(1)}Request`;
  bodies[name] = inputSchema(schema.body, docs);
  const content = { schema: { $ref: `#/components/schemas/${name}` }, ...(docs.bodies === undefined ? {} : { examples: docs.bodies }) };
  return { requestBody: { required: !schema.body.safeParse(undefined).success, content: { 'application/json': content } } };
}

/** What the schema accepts, before it normalises anything. */
function inputSchema(schema: z.ZodType, docs: OperationDocs): z.core.JSONSchema.BaseSchema {
  const json = acceptedJson(schema);
  for (const [name, description] of Object.entries(docs.fields ?? {})) {
    const property = json.properties?.[name];
    if (typeof property === 'object') property.description ??= description;
  }
  return json;
}

/** The schemas of all answers by operation; those that have an id stand among the components. */
function answerSchemas(routes: readonly DocumentedRoute[]): {
  readonly data: Readonly<Record<string, JsonSchema>>;
  readonly components: Readonly<Record<string, JsonSchema>>;
} {
  const all = z.object(Object.fromEntries(routes.map(({ docs, data }) => [docs.operationId, data])));
  const { properties, $defs } = JSON.parse(JSON.stringify(acceptedJson(all)).replaceAll('"#/$defs/', '"#/components/schemas/'));
  return { data: properties, components: $defs };
}
