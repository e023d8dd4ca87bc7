import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { catalogue, type ErrorCode, GatewayError, isUuid, normalisePhoneNumber } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { instanceId, messageTypes } from '../../kinds/index.ts';
import { findRequestOf, listActivity } from '../../requests/index.ts';
import { boundSearches } from '../bounds.ts';
import { id, limit } from '../fields.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { keyPrefixes, requestView } from '../request-view.ts';
import { isoOrNull } from '../times.ts';
import type { ActivityPage } from '../wire/index.ts';

// The names of a table are its codes.
const codes = Object.keys(catalogue) as ErrorCode[];

const recipient = z.string().transform((text, context) => {
  const digits = normalisePhoneNumber(text);
  if (digits !== null) return digits;
  context.addIssue('must be a phone number with country code, 6 to 15 digits');
  return z.NEVER;
});

const wanted = z.object({
  instance_id: instanceId.optional(),
  type: z.enum(messageTypes).optional(),
  outcome: z.enum(['sent', 'failed', ...codes], { error: 'must be sent, failed or the code of an error' }).optional(),
  recipient: recipient.optional(),
  key_id: id.optional(),
  cursor: z.string().max(64).optional(),
  limit: limit(100, 50),
});

/** GET /portal/api/activity and /portal/api/requests/{request_id}: what the account sent in the last 30 days, never its content. */
export function activityRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options);

  server.get<{ Querystring: z.output<typeof wanted> }>(
    '/portal/api/activity',
    { schema: { querystring: wanted }, onRequest },
    async (request, reply) => {
      const { accountId } = actingFor(request);
      await boundSearch(request, reply);
      const { instance_id: instanceId, type: messageType, key_id: keyId, cursor = null, ...asked } = request.query;
      const filter = { instanceId, messageType, keyId, outcome: asked.outcome, recipient: asked.recipient };
      const prefixes = await keyPrefixes(store, accountId);
      // A key of another account sent nothing here: the log need not be looked through to know.
      const foreign = keyId !== undefined && !prefixes.has(keyId.toLowerCase());
      const { sends, ...page } = foreign
        ? { sends: [], cursor: null, searchedBackTo: null }
        : await listActivity(store, accountId, filter, { cursor, limit: asked.limit, now: clock.now() });
      const view: ActivityPage = {
        items: sends.map((send) => requestView(send, prefixes)),
        cursor: page.cursor,
        searched_back_to: isoOrNull(page.searchedBackTo),
      };
      return succeed(request, reply, view);
    },
  );

  /** Looking for something in the log costs more than its newest page. */
  async function boundSearch(
    { query, visitor }: FastifyRequest<{ Querystring: z.output<typeof wanted> }>,
    reply: FastifyReply,
  ): Promise<void> {
    const { cursor, instance_id, type, outcome, recipient, key_id } = query;
    if ([cursor, instance_id, type, outcome, recipient, key_id].every((one) => one === undefined)) return;
    await boundSearches(options.limiter, reply, visitor);
  }

  server.get<{ Params: { id: string } }>('/portal/api/requests/:id', { onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const { id } = request.params;
    const record = isUuid(id) ? await findRequestOf(store, accountId, id) : undefined;
    if (record === undefined) throw new GatewayError('not_found', 'This account made no such request in the last 30 days.');
    return succeed(request, reply, requestView(record, await keyPrefixes(store, accountId)));
  });
}
