import type { FastifySchema } from 'fastify';
import { z } from 'zod';
import type { ErrorCode } from '../../core/index.ts';
import { errorSchemas, successSchema } from './envelope.ts';
import { acceptedJson, documentSchemas } from './json-schema.ts';
import type { JsonSchema, OperationDocs } from './operation.ts';
import { interfaceVersion, overview, tagDescriptions } from './overview.ts';
import { headerComponents, responsesOf, shareResponses } from './responses.ts';
import {
  describeWebhooks,
  type Webhook,
  type WebhookDocs,
  webhookItems,
  webhookParameters,
  webhookSchemas,
  webhooksTag,
} from './webhooks.ts';

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

/** The document's `info`. */
export interface ApiInfo {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly identifier: string };
}

export interface DocumentOptions {
  /** Whether Idempotency-Key is enabled on this deployment. */
  readonly idempotency: boolean;
  readonly webhookDocs: WebhookDocs;
}

/** An operation as the document and the docs page describe it. */
export interface Operation {
  readonly method: string;
  /** With `{id}`. */
  readonly path: string;
  readonly docs: OperationDocs;
  /** The codes that this deployment can answer with. */
  readonly codes: readonly ErrorCode[];
  readonly query: readonly { readonly name: string; readonly description?: string; readonly schema: JsonSchema }[];
  readonly body: { readonly schema: JsonSchema; readonly required: boolean } | null;
  /** What `data` of a success is. */
  readonly data: JsonSchema;
}

/** What the document and the docs page describe. */
interface Described {
  readonly operations: readonly Operation[];
  readonly webhooks: readonly Webhook[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/**
 * The operations of these routes, the webhooks, and the schemas that theirs name. Everything in them comes from what validates, from the catalogue, or
 * from the routes' docs.
 */
export function describe(routes: readonly DocumentedRoute[], { idempotency, webhookDocs }: DocumentOptions): Described {
  const answers = documentSchemas(Object.fromEntries(routes.map(({ docs, data }) => [docs.operationId, data])));
  const { webhooks, components } = describeWebhooks(webhookDocs);
  const operations = routes.map(({ method, url, schema, docs }): Operation => {
    const { body, querystring } = schema;
    return {
      method,
      path: url.replace(/:(\w+)/g, '{$1}'),
      docs,
      codes: docs.errors.filter((code) => idempotency || code !== 'idempotency_key_reused'),
      query: [
        ...(docs.query ?? []).map((parameter) => ({ in: 'query', required: false, ...parameter })),
        ...(querystring instanceof z.ZodType ? queryParameters(inputSchema(querystring, docs)) : []),
      ],
      body: body instanceof z.ZodType ? { schema: inputSchema(body, docs), required: !body.safeParse(undefined).success } : null,
      data: answers.byName[docs.operationId] ?? {},
    };
  });
  const bodies = operations.flatMap(({ docs, body }) => (body === null ? [] : [[nameOf(docs, 'Request'), body.schema] as const]));
  return { operations, webhooks, schemas: { ...Object.fromEntries(bodies), ...errorSchemas, ...answers.components, ...components } };
}

/** The OpenAPI 3.1 document of these routes, without `servers`. */
export function buildDocument(
  routes: readonly DocumentedRoute[],
  options: DocumentOptions,
): Record<string, unknown> & { readonly info: ApiInfo } {
  const { operations, webhooks, schemas } = describe(routes, options);
  const { webhookDocs } = options;
  const successes = Object.fromEntries(operations.map(({ docs, data }) => [nameOf(docs, 'Success'), successSchema(data)]));
  const responses = operations.map(({ docs, codes }) => responsesOf(docs, componentRef(nameOf(docs, 'Success')), codes));
  const shared = shareResponses(responses);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [index, operation] of operations.entries()) {
    const { path, method } = operation;
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = {
      ...operationHead(operation),
      ...requestBody(operation),
      responses: Object.fromEntries(
        Object.entries(responses[index] ?? {}).map(([status, response]) => [status, shared.place(status, response)]),
      ),
    };
  }

  const used = new Set(routes.map((route) => route.docs.tag));
  return {
    openapi: '3.1.0',
    info: {
      title: apiTitle,
      version: interfaceVersion,
      description: overview(options),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ apikey: [] }],
    tags: [
      ...Object.entries(tagDescriptions).flatMap(([name, description]) =>
        used.has(name as keyof typeof tagDescriptions) ? [{ name, description }] : [],
      ),
      { name: webhooksTag, description: webhookDocs.description },
    ],
    paths,
    webhooks: webhookItems(webhooks, webhookDocs),
    components: {
      securitySchemes: {
        apikey: { type: 'apiKey', in: 'header', name: 'apikey', description: 'A key of the account, as it was shown when it was created.' },
      },
      parameters: { ...parameters, ...(options.idempotency ? { IdempotencyKey: idempotencyKey } : {}), ...webhookParameters(webhookDocs) },
      headers: headerComponents(options.idempotency),
      schemas: { ...schemas, ...successes, ...webhookSchemas(webhooks) },
      responses: shared.components,
    },
  };
}

export const apiTitle = 'Messaging Gateway API';

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

function operationHead({ path, docs, codes, query }: Operation): Record<string, unknown> {
  const all = [
    ...(path.includes('{id}') ? [{ $ref: '#/components/parameters/InstanceId' }] : []),
    ...(codes.includes('idempotency_key_reused') ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
    ...query,
  ];
  return {
    operationId: docs.operationId,
    tags: [docs.tag],
    summary: docs.summary,
    description: docs.description,
    ...(codes.includes('missing_api_key') ? {} : { security: [] }),
    ...(all.length === 0 ? {} : { parameters: all }),
  };
}

function queryParameters(query: z.core.JSONSchema.BaseSchema): Operation['query'] {
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

function requestBody({ docs, body }: Operation): Record<string, unknown> {
  if (body === null) return {};
  const content = { schema: componentRef(nameOf(docs, 'Request')), ...(docs.bodies === undefined ? {} : { examples: docs.bodies }) };
  return { requestBody: { required: body.required, content: { 'application/json': content } } };
}

/** The components of what an operation takes and answers are named after it. */
function nameOf({ operationId }: OperationDocs, what: 'Request' | 'Success'): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}${what}`;
}

function componentRef(schema: string): JsonSchema {
  return { $ref: `#/components/schemas/${schema}` };
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
