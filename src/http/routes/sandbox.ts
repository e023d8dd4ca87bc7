import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, normalisePhoneNumber } from '../../core/index.ts';
import type { SandboxPhones } from '../../networks/index.ts';
import { messagesDocs, scanDocs, unlinkDocs } from '../docs/sandbox.ts';
import { succeed, succeedWithList } from '../envelope.ts';
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

/** The sandbox's phone: scan a QR, unlink, read what a contact received (decisions §10). Only for the account's own instances. */
export function sandboxRoutes(server: FastifyInstance, options: RouteOptions, phones: SandboxPhones): void {
  const onRequest = options.admission({ scope: null, planRequired: false, callers: 'both' });

  server.post<{ Body: z.output<typeof scanBody> }>(
    '/sandbox/scan',
    { schema: { body: scanBody, ...scanDocs }, onRequest },
    async (request, reply) => {
      const scanned = await phones.scan(request.admission.accountId, request.body.code, request.body.phone_number);
      if (scanned === null) {
        throw new GatewayError('invalid_request', 'code must be the code of a QR that is shown right now by an instance of the account.', {
          field: 'code',
        });
      }
      // The next call should find the number open.
      await options.sessions.find(request.admission.accountId, scanned.instanceId)?.settled();
      return succeed(request, reply, { instance_id: scanned.instanceId, phone_number: scanned.phoneNumber });
    },
  );

  server.post<{ Body: z.output<typeof unlinkBody> }>(
    '/sandbox/unlink',
    { schema: { body: unlinkBody, ...unlinkDocs }, onRequest },
    async (request, reply) => {
      const unlinked = await phones.unlink(request.admission.accountId, request.body.phone_number);
      if (unlinked === null) throw new GatewayError('instance_not_found', 'No instance of the account is linked to that number.');
      await options.sessions.find(request.admission.accountId, unlinked.instanceId)?.settled();
      return succeed(request, reply, { instance_id: unlinked.instanceId });
    },
  );

  server.get<{ Querystring: z.output<typeof messagesQuery> }>(
    '/sandbox/messages',
    {
      schema: { querystring: messagesQuery, ...messagesDocs },
      onRequest: options.admission({ scope: 'sandbox', planRequired: false, callers: 'both' }),
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
        view: (message) => message,
        more: found.hasMore ? { has_more: true } : {},
      });
    },
  );
}
