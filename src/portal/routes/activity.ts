import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { keyPrefixes } from '../../accounts/index.ts';
import { catalogue, type ErrorCode, GatewayError, isoOrNull, isUuid, moment, normalisePhoneNumber } from '../../core/index.ts';
import { instanceId, messageTypes } from '../../kinds/index.ts';
import { findRequestOf, listActivity } from '../../requests/index.ts';
import { boundSearches } from '../bounds.ts';
import { endpoint } from '../endpoint.ts';
import { id, limit } from '../fields.ts';
import { openPlace, sealPlace } from '../listing/hidden.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { requestView } from '../views.ts';
import type { ActivityPage } from '../wire/sending.ts';

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
  outcome: z
    .enum(['sent', 'failed', '4xx', '5xx', ...codes], { error: 'must be sent, failed, 4xx, 5xx or the code of an error' })
    .optional(),
  recipient: recipient.optional(),
  key_id: id.optional(),
  from: moment.optional(),
  to: moment.optional(),
  cursor: z.string().max(100).optional(),
  limit: limit(100, 50),
});

/** What the account sent in the last 30 days, never its content. */
export function activityRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, vault } = options;
  const onRequest = actsForAccount(options);

  endpoint(server, 'GET /portal/api/activity', { onRequest, query: wanted }, async (request, reply): Promise<ActivityPage> => {
    const { accountId } = actingFor(request);
    const { limit: rows, cursor, instance_id: instanceId, type: messageType, outcome, recipient, key_id: keyId } = request.query;
    const { from: since, to: until } = request.query;
    const filter = { instanceId, messageType, keyId, outcome, recipient, since, until };
    // Looking for something in the log costs more than its newest page.
    if (cursor !== undefined || Object.values(filter).some((one) => one !== undefined))
      await boundSearches(options.limiter, reply, request.visitor);
    const [at = 0, id = 0] = cursor === undefined ? [] : await openPlace(vault, readerOf(accountId), cursor, 'cursor');
    const from = cursor === undefined ? null : { at, id };
    const prefixes = await keyPrefixes(store, accountId);
    // A key of another account sent nothing here: the log need not be looked through to know.
    if (keyId !== undefined && !prefixes.has(keyId.toLowerCase())) return { items: [], cursor: null, searched_back_to: null };
    const page = await listActivity(store, accountId, filter, { cursor: from, limit: rows, now: clock.now() });
    return {
      items: page.sends.map((send) => requestView(send, prefixes)),
      cursor: page.cursor && sealPlace(vault, readerOf(accountId), [page.cursor.at, page.cursor.id]),
      searched_back_to: isoOrNull(page.searchedBackTo),
    };
  });

  endpoint(server, 'GET /portal/api/requests/:id', { onRequest }, async (request) => {
    const { accountId } = actingFor(request);
    const { id } = request.params;
    const record = isUuid(id) ? await findRequestOf(store, accountId, id) : undefined;
    if (record === undefined) throw new GatewayError('not_found', 'This account made no such request in the last 30 days.');
    return requestView(record, await keyPrefixes(store, accountId));
  });
}

/** It is in the log of all accounts. */
const readerOf = (accountId: string) => `activity of ${accountId}`;
