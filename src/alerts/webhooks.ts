import { z } from 'zod';
import type { MessageEvent } from '../networks/index.ts';
import { conditionNames, conditions } from './conditions/conditions.ts';

const time = z.string().meta({ format: 'date-time' });
const id = z.string().meta({ format: 'uuid' });

/** One alert in a delivery. */
const alert = z
  .object({
    alert_id: id.meta({ description: 'The beginning and the end of the same alert have the same one.' }),
    condition: z.string().meta({
      description: `${conditionNames.map((name) => `\`${name}\`: ${conditions[name].text}`).join('. ')}. More may be added.`,
      examples: conditionNames,
    }),
    phase: z.enum(['began', 'ended']).meta({ description: 'Whether this is its beginning or its end.' }),
    at: time.meta({ description: 'When it began or ended, in UTC.' }),
    account_id: id.nullable().meta({ description: 'null when it concerns the installation.' }),
    account_name: z.string().nullable().meta({ description: 'The name of the account.' }),
    server: z.string().nullable().meta({
      description: 'The name of the server that it concerns; `gateway` for all of them; null for a number or an account.',
    }),
    instance_id: id.nullable().meta({ description: 'The number; null when it does not concern one.' }),
    phone_number: z.string().nullable().meta({ description: 'Its digits.' }),
    label: z.string().nullable().meta({ description: 'Your own name for it.' }),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why: one word for a number, such as `unlinked`, a few for a server. More may be added.' }),
    until: time.nullable().meta({ description: 'When a restriction or an access ends, in UTC.' }),
    text: z.string().meta({ description: 'For people, in English; the wording may change.' }),
  })
  .meta({ id: 'Alert', description: 'The beginning or the end of something that needs attention.' });

export type Alert = Readonly<z.output<typeof alert>>;

export const eventTexts: Readonly<Record<MessageEvent, string>> = {
  delivered: 'the first device of its recipient has it',
  read: 'its recipient has read or played it, and lets others know that',
  lost: 'it was accepted, but a device of its recipient could not read it and it can no longer be delivered there',
};

/** What became of one message: neither its content nor its recipient. */
const messageEvent = z
  .object({
    event: z.string().meta({
      description: `${Object.entries(eventTexts)
        .map(([name, text]) => `\`message.${name}\`: ${text}`)
        .join('. ')}. More may be added.`,
      examples: Object.keys(eventTexts).map((name) => `message.${name}`),
    }),
    message_id: z.string().meta({ description: 'The one in the answer to the send.' }),
    instance_id: id.meta({ description: 'The number that sent it.' }),
    account_id: id.meta({ description: 'The account of the number.' }),
    at: time.meta({ description: 'When it happened, in UTC.' }),
  })
  .meta({ id: 'MessageEvent', description: 'What became of a message: neither its content nor its recipient.' });

/** The `data` of each type of webhook. */
const data = {
  alerts: z.object({ alerts: z.array(alert).meta({ description: 'At most 1,000.' }) }),
  messages: z.object({ events: z.array(messageEvent).meta({ description: 'At most 1,000, in the order in which they happened.' }) }),
  test: z.object({ target_id: id.meta({ description: 'The target that is tested.' }) }),
};

type WebhookType = keyof typeof data;

/** The body of a webhook, without its time. */
export type WebhookContent = {
  [Type in WebhookType]: { readonly type: Type; readonly data: ReadonlyData<z.output<(typeof data)[Type]>> };
}[WebhookType];

type ReadonlyData<Data> = { readonly [Name in keyof Data]: Data[Name] extends (infer Item)[] ? readonly Readonly<Item>[] : Data[Name] };

function bodyOf(type: WebhookType) {
  return z
    .object({
      type: z.literal(type).meta({ description: 'What `data` is. Ignore types that you do not know.' }),
      timestamp: time.meta({ description: 'When it was put together, in UTC.' }),
      data: data[type],
    })
    .meta({ description: 'The body of a webhook, after the Standard Webhooks specification.' });
}

const example = {
  timestamp: '2026-01-15T09:30:20.000Z',
  at: '2026-01-15T09:30:00.000Z',
  instance_id: '01936a5e-7c1b-7b3a-9d52-4f0e8a6c2b11',
  account_id: '01936a50-52a4-7f9e-8c11-2d3e4f5a6b7c',
};

const exampleContents: readonly WebhookContent[] = [
  {
    type: 'messages',
    data: {
      events: [
        {
          event: 'message.delivered',
          message_id: '3EB0C767D097B7C1A2F4',
          instance_id: example.instance_id,
          account_id: example.account_id,
          at: example.at,
        },
      ],
    },
  },
  {
    type: 'alerts',
    data: {
      alerts: [
        {
          alert_id: '01936a62-1f0b-7c44-9b3e-5a6b7c8d9e0f',
          condition: 'number_needs_person',
          phase: 'began',
          at: example.at,
          account_id: example.account_id,
          account_name: 'Acme',
          server: null,
          instance_id: example.instance_id,
          phone_number: '4930901820',
          label: 'Front desk',
          reason: 'unlinked',
          until: null,
          text: 'Number +4930901820 (Front desk) of Acme is not linked any more and needs a person',
        },
      ],
    },
  },
  { type: 'test', data: { target_id: '01936a63-2b7d-7e10-8f21-6c7d8e9f0a1b' } },
];

const texts: Readonly<Record<WebhookType, { readonly summary: string; readonly description: string }>> = {
  messages: {
    summary: 'Messages: delivered, read or lost',
    description:
      'What became of messages that were sent here, a second or two after it is known. Off unless you choose events for the webhook. An event has neither content nor recipient, and nothing of what a recipient chose from buttons or a list.\n\nNo event says that something did not happen: many people send no `read`, and time alone never makes a message lost. Events are pushed and cannot be queried.',
  },
  alerts: {
    summary: 'Alerts: a number needs a person, and others',
    description:
      'The beginning and the end of each condition that you chose, some 20 seconds late: what comes close together is sent together.',
  },
  test: { summary: 'Test', description: 'Sent when somebody presses the test button or runs `gateway alert test`.' },
};

/** Webhooks as the API's description has them. */
export const webhookDocs = {
  description: `The gateway can call you: when a message is delivered, read or lost, and when a number needs a person. Add a webhook in the portal under “Alerts”, or with \`gateway alert create --webhook URL\`, and choose what it gets; there is no endpoint for that.

Webhooks follow the Standard Webhooks specification: verify each with its library for your language and the secret that is shown when the webhook is added. Answer with any 2xx within 20 seconds. Anything else, also a redirect, is tried again for 24 hours; 410 ends that at once. A webhook may arrive twice: recognise it by \`webhook-id\`. Deliveries come one after the other, in order.`,
  headers: [
    { name: 'webhook-id', description: 'Identifies the delivery; the same when it is tried again.' },
    { name: 'webhook-timestamp', description: 'When it was sent, in seconds since 1970. Part of what is signed.' },
    {
      name: 'webhook-signature',
      description:
        'One or more signatures with a space between them, each `v1,` and the Base64 of an HMAC-SHA256 of `webhook-id.webhook-timestamp.body`. One that is right is enough: for 24 hours after a new secret was made there is one with the old secret too.',
    },
  ],
  webhooks: exampleContents.map((content) => ({
    name: content.type,
    ...texts[content.type],
    body: bodyOf(content.type),
    example: { type: content.type, timestamp: example.timestamp, data: content.data },
  })),
};
