import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, normalisePhoneNumber } from '../../core/index.ts';
import { messageTypes } from '../../kinds/index.ts';
import type { SandboxPhones } from '../../networks/index.ts';
import { exampleInstanceId, exampleMessageId, exampleRecipient, exampleSender, exampleTime } from '../docs/examples.ts';
import { bodyErrors, keyedErrors, limitedErrors, type OperationDocs } from '../docs/operation.ts';
import { succeed, succeedWithList } from '../envelope.ts';
import { instance } from '../instance-view.ts';
import type { RouteOptions } from '../route-options.ts';

const phoneNumber = z.string().transform((text, context) => {
  const digits = normalisePhoneNumber(text);
  if (digits === null) context.addIssue({ code: 'custom', message: 'must be a phone number with country code, 6 to 15 digits' });
  return digits ?? '';
});

const scanBody = z.object({ code: z.string(), phone_number: phoneNumber });
const unlinkBody = z.object({ phone_number: phoneNumber });
const mostMessages = 1000;
const limit = z
  .string()
  .transform((text, context) => {
    const count = /^[0-9]{1,4}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > mostMessages) context.addIssue(`must be a whole number from 1 to ${mostMessages}`);
    return count;
  })
  .optional()
  .meta({ type: 'integer', minimum: 1, maximum: mostMessages, default: mostMessages });
const messageId = z.string().optional();
const messagesQuery = z.object({ to: phoneNumber, limit, before: messageId, after: messageId }).superRefine((query, context) => {
  if (query.before === undefined || query.after === undefined) return;
  context.addIssue({ code: 'custom', path: ['after'], message: 'must not be given together with before' });
});

const scanned = instance
  .pick({ instance_id: true })
  .extend({ phone_number: z.string().meta({ description: 'The digits of the phone that scanned.' }) })
  .meta({ id: 'SandboxScan', description: 'The scan succeeded.' });
const unlinked = instance.pick({ instance_id: true }).meta({ id: 'SandboxUnlink', description: 'The link is gone.' });
const sandboxMessage = z
  .object({
    message_id: z.string().meta({ description: 'The id of the send; a contact keeps one message per id.' }),
    from: z.string().meta({ description: 'Digits of the sending number.' }),
    to: z.string().meta({ description: 'Digits of the recipient.' }),
    type: z.enum(messageTypes).meta({ description: 'The kind of the message.' }),
    content: z.looseObject({}).meta({
      description: "The request's own fields after normalisation; for media also `mime_type`, `size` and `sha256` of what was delivered.",
    }),
    quoted: z
      .object({
        message_id: z.string().meta({ description: 'Its id.' }),
        from_me: z.boolean().meta({ description: 'Whether the number sent it.' }),
      })
      .nullable()
      .meta({ description: 'The message this one replies to.' }),
    received_at: z.string().meta({ format: 'date-time', description: 'When it was received, in UTC.' }),
  })
  .meta({ id: 'SandboxMessage', description: 'A message as its recipient sees it.' });
const messages = z
  .object({
    messages: z.array(sandboxMessage).meta({ description: 'Oldest first.' }),
    has_more: z.literal(true).optional().meta({
      description:
        'Present, and true, when there are more: request them with `before` and the first message of this answer, or with `after` and the last.',
    }),
  })
  .meta({ id: 'SandboxMessages', description: 'What a contact received.' });

const phoneNumberRules =
  'Phone number with country code; 6 to 15 digits must remain after spaces, dashes, brackets and a leading + are stripped.';

const scanDocs: OperationDocs = {
  operationId: 'sandboxScan',
  tag: 'Sandbox',
  summary: 'A sandbox phone scans a QR code',
  description: 'Plays the person with the phone: a phone with this number scans the code that an instance of the account shows right now.',
  errors: [...keyedErrors, ...bodyErrors],
  errorExamples: {
    invalid_request: {
      message: 'code must be that of a QR code which an instance of the account shows right now.',
      details: { field: 'code' },
    },
  },
  success: 'The instance is linked to that phone.',
  fields: { code: '`qrcode.code` of the instance to be linked.', phone_number: `The number of the phone. ${phoneNumberRules}` },
  bodies: { scan: { summary: 'Scan', value: { code: 'sandbox@hW8tq0pX3vN6yRb1sKd4uZc7mLf2gJoE', phone_number: '+49 30 901820' } } },
  results: { linked: { summary: 'Linked', value: { instance_id: exampleInstanceId, phone_number: exampleSender } } },
};

const unlinkDocs: OperationDocs = {
  operationId: 'sandboxUnlink',
  tag: 'Sandbox',
  summary: 'A sandbox phone unlinks the gateway',
  description:
    'Plays the person who removes the gateway from the linked devices of the phone: the instance closes and must be scanned again.',
  errors: [...keyedErrors, ...bodyErrors, 'instance_not_found'],
  errorExamples: { invalid_request: { message: 'phone_number is required.', details: { field: 'phone_number' } } },
  success: 'The instance is no longer linked.',
  fields: { phone_number: `The number of the phone. ${phoneNumberRules}` },
  bodies: { unlink: { summary: 'Unlink', value: { phone_number: '+49 30 901820' } } },
  results: { unlinked: { summary: 'Unlinked', value: { instance_id: exampleInstanceId } } },
};

const messagesDocs: OperationDocs = {
  operationId: 'listSandboxMessages',
  tag: 'Sandbox',
  summary: 'What a sandbox contact received',
  description:
    'The messages that the account sent to this contact, oldest first. The last 1,000 of the account are kept, for 7 days. ' +
    'Without `after` these are the newest ones: as many as `limit` says, or fewer when they are large, because an answer holds about 512 KB. ' +
    'The rate limit is 1,200 per minute in the scope `sandbox`.',
  errors: [...limitedErrors, 'invalid_request'],
  success: 'The messages, possibly none.',
  fields: {
    to: `The contact. ${phoneNumberRules}`,
    limit: 'The maximum number of messages.',
    before: 'A `message_id`: the newest messages before that one.',
    after: 'A `message_id`: the oldest messages after that one. Not together with `before`.',
  },
  results: {
    text: {
      summary: 'One text',
      value: {
        messages: [
          {
            message_id: exampleMessageId,
            from: exampleSender,
            to: exampleRecipient.digits,
            type: 'text',
            content: { text: 'Hello from the gateway' },
            quoted: null,
            received_at: exampleTime,
          },
        ],
      },
    },
  },
};

/** The sandbox's phone: scan a QR, unlink, read what a contact received (decisions §10). Only for the account's own instances. */
export function sandboxRoutes(server: FastifyInstance, options: RouteOptions, phones: SandboxPhones): void {
  const onRequest = options.admission({ scope: null, planRequired: false, callers: 'both' });

  server.post<{ Body: z.output<typeof scanBody>; Reply: z.output<typeof scanned> }>(
    '/sandbox/scan',
    { schema: { body: scanBody, data: scanned, docs: scanDocs }, onRequest },
    async (request, reply) => {
      const link = await phones.scan(request.admission.accountId, request.body.code, request.body.phone_number);
      if (link === null) {
        throw new GatewayError('invalid_request', 'code must be that of a QR code which an instance of the account shows right now.', {
          field: 'code',
        });
      }
      // The next call should find the number open.
      await options.sessions.find(request.admission.accountId, link.instanceId)?.settled();
      return succeed(request, reply, { instance_id: link.instanceId, phone_number: link.phoneNumber });
    },
  );

  server.post<{ Body: z.output<typeof unlinkBody>; Reply: z.output<typeof unlinked> }>(
    '/sandbox/unlink',
    { schema: { body: unlinkBody, data: unlinked, docs: unlinkDocs }, onRequest },
    async (request, reply) => {
      const link = await phones.unlink(request.admission.accountId, request.body.phone_number);
      if (link === null) throw new GatewayError('instance_not_found', 'No instance of the account is linked to that number.');
      await options.sessions.find(request.admission.accountId, link.instanceId)?.settled();
      return succeed(request, reply, { instance_id: link.instanceId });
    },
  );

  server.get<{ Querystring: z.output<typeof messagesQuery>; Reply: z.output<typeof messages> }>(
    '/sandbox/messages',
    {
      schema: { querystring: messagesQuery, data: messages, docs: messagesDocs },
      onRequest: options.admission({ scope: 'sandbox', planRequired: false, callers: 'both', readOnly: true }),
    },
    async (request, reply) => {
      const { to, ...page } = request.query;
      const found = await phones.messages(request.admission.accountId, to, page);
      if (found === null) {
        const field = page.after === undefined ? 'before' : 'after';
        throw new GatewayError('invalid_request', `${field} must be the message_id of a message that the contact has.`, { field });
      }
      return succeedWithList(request, reply, 'messages', {
        items: found.messages,
        view: (message): z.output<typeof sandboxMessage> => message,
        more: found.hasMore ? { has_more: true } : {},
      });
    },
  );
}
