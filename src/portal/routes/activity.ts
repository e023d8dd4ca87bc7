import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { keyPrefixes } from '../../accounts/index.ts';
import { catalogue, type ErrorCode, GatewayError, isoOrNull, isUuid, moment, normalisePhoneNumber, type Vault } from '../../core/index.ts';
import { instanceId, messageTypes } from '../../kinds/index.ts';
import { findRequestOf, listActivity, type Place } from '../../requests/index.ts';
import { boundSearches } from '../bounds.ts';
import { endpoint } from '../endpoint.ts';
import { id, limit } from '../fields.ts';
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
    const from = cursor === undefined ? null : await readCursor(vault, accountId, cursor);
    const prefixes = await keyPrefixes(store, accountId);
    // A key of another account sent nothing here: the log need not be looked through to know.
    if (keyId !== undefined && !prefixes.has(keyId.toLowerCase())) return { items: [], cursor: null, searched_back_to: null };
    const page = await listActivity(store, accountId, filter, { cursor: from, limit: rows, now: clock.now() });
    return {
      items: page.sends.map((send) => requestView(send, prefixes)),
      cursor: page.cursor && writeCursor(vault, accountId, page.cursor),
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

/** What the place of a page is sealed for: it is in the log of all accounts, of which an account may not even learn how long it is. */
const cursorContext = (accountId: string) => `activity of ${accountId}`;

function writeCursor(vault: Vault, accountId: string, { at, id }: Place): string {
  // Sealed it is as long as before.
  return vault.seal(Buffer.from(`${at}.${String(id).padStart(16, '0')}`), cursorContext(accountId)).toString('base64url');
}

/** The place; throws invalid_request for what no page of this account gave. */
async function readCursor(vault: Vault, accountId: string, text: string): Promise<Place> {
  const sealed = Buffer.from(text, 'base64url');
  // Another server may have sealed it with a newer key.
  await vault.ready([sealed]);
  try {
    const [at, id] = vault.open(sealed, cursorContext(accountId)).toString().split('.');
    return { at: Number(at), id: Number(id) };
  } catch {
    throw new GatewayError('invalid_request', 'cursor must come from an earlier page.', { field: 'cursor' });
  }
}
