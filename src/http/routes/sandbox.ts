import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { GatewayError, normalisePhoneNumber } from '../../core/index.ts';
import type { SandboxPhones } from '../../networks/index.ts';
import { messagesDocs, scanDocs, unlinkDocs } from '../docs/sandbox.ts';
import { succeed } from '../envelope.ts';
import type { RouteWorld } from '../route-world.ts';

const phoneNumber = z.string().transform((text, context) => {
  const digits = normalisePhoneNumber(text);
  if (digits === null) context.addIssue({ code: 'custom', message: 'must be a phone number with country code, 6 to 15 digits' });
  return digits ?? '';
});

const scanBody = z.object({ code: z.string(), phone_number: phoneNumber });
const unlinkBody = z.object({ phone_number: phoneNumber });
const messagesQuery = z.object({ to: phoneNumber });

/** The sandbox's phone: scan a QR, unlink, read what a contact received (decisions §10). Only for the account's own instances. */
export function sandboxRoutes(server: FastifyInstance, world: RouteWorld, phones: SandboxPhones): void {
  const onRequest = world.admission({ scope: null, planRequired: false, callers: 'both' });

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
      await world.sessions.find(request.admission.accountId, scanned.instanceId)?.settled();
      return succeed(request, reply, { instance_id: scanned.instanceId, phone_number: scanned.phoneNumber });
    },
  );

  server.post<{ Body: z.output<typeof unlinkBody> }>(
    '/sandbox/unlink',
    { schema: { body: unlinkBody, ...unlinkDocs }, onRequest },
    async (request, reply) => {
      const unlinked = await phones.unlink(request.admission.accountId, request.body.phone_number);
      if (unlinked === null) throw new GatewayError('instance_not_found', 'No instance of the account is linked to that number.');
      await world.sessions.find(request.admission.accountId, unlinked.instanceId)?.settled();
      return succeed(request, reply, { instance_id: unlinked.instanceId });
    },
  );

  server.get<{ Querystring: z.output<typeof messagesQuery> }>(
    '/sandbox/messages',
    { schema: { querystring: messagesQuery, ...messagesDocs }, onRequest },
    async (request, reply) => succeed(request, reply, { messages: await phones.messages(request.admission.accountId, request.query.to) }),
  );
}
