import type { z } from 'zod';
import { documentSchemas } from './json-schema.ts';
import type { JsonSchema } from './operation.ts';
import { componentOf } from './responses.ts';

/** What the gateway itself calls, as those who send it describe it. */
export interface WebhookDocs {
  /** What all of them have in common. */
  readonly description: string;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  readonly webhooks: readonly {
    readonly name: string;
    readonly summary: string;
    readonly description: string;
    readonly body: z.ZodType;
    readonly example: unknown;
  }[];
}

/** One webhook as the document and the docs page describe it. */
export interface Webhook {
  readonly operationId: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly body: JsonSchema;
  readonly example: unknown;
}

export const webhooksTag = 'Webhooks';

export function describeWebhooks({ webhooks }: WebhookDocs) {
  const { byName, components } = documentSchemas(Object.fromEntries(webhooks.map(({ name, body }) => [name, body])));
  const described = webhooks.map(
    ({ body: _, ...docs }): Webhook => ({ ...docs, operationId: `${docs.name}Webhook`, body: byName[docs.name] ?? {} }),
  );
  return { webhooks: described, components };
}

/** `webhooks` of the document. */
export function webhookItems(webhooks: readonly Webhook[], { headers }: WebhookDocs): Readonly<Record<string, object>> {
  return Object.fromEntries(
    webhooks.map(({ name, operationId, summary, description, example }) => [
      name,
      {
        post: {
          ...{ operationId, tags: [webhooksTag], summary, description, security: [] },
          parameters: headers.map((header) => ({ $ref: `#/components/parameters/${componentOf(header.name)}` })),
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { $ref: `#/components/schemas/${bodyName(name)}` },
                examples: { [name]: { summary, value: example } },
              },
            },
          },
          responses,
        },
      },
    ]),
  );
}

/** The bodies of the webhooks, as components. */
export function webhookSchemas(webhooks: readonly Webhook[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(webhooks.map(({ name, body }) => [bodyName(name), body]));
}

/** `messages` as `MessagesWebhook`. */
function bodyName(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}Webhook`;
}

/** What a receiver may answer. */
const responses = {
  '2XX': { description: 'It has arrived.' },
  '410': { description: 'Nobody is there any more: this delivery is not tried again.' },
  default: { description: 'Anything else is tried again for 24 hours.' },
};

export function webhookParameters({ headers }: WebhookDocs): Readonly<Record<string, object>> {
  return Object.fromEntries(
    headers.map(({ name, description }) => [
      componentOf(name),
      { name, in: 'header', required: true, description, schema: { type: 'string' } },
    ]),
  );
}
