import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createKey, type KeySummary, listKeys, revokeKey } from '../../accounts/index.ts';
import { GatewayError } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { keyLabel } from '../fields.ts';
import { actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { iso, isoOrNull } from '../times.ts';
import type { KeysView, KeyView, NewKeyView } from '../wire/index.ts';

/** Live keys one account may have by the portal; far above what rotation needs. */
const mostLiveKeys = 100;

/** Revoked keys that are listed: those revoked last. */
const mostRevokedShown = 100;

const newKey = z.object({ label: keyLabel.nullish() }).nullish();

/** GET and POST /portal/api/keys, DELETE /portal/api/keys/{key_id}: the account's API keys. */
export function keyRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options);

  server.get('/portal/api/keys', { onRequest }, async (request, reply) => {
    const keys = await listKeys(store, actingFor(request).accountId);
    const revoked = keys.filter(({ revoked_at }) => revoked_at !== null);
    const leftOut = new Set(revoked.toSorted((one, other) => Number(other.revoked_at) - Number(one.revoked_at)).slice(mostRevokedShown));
    const view: KeysView = { keys: keys.filter((key) => !leftOut.has(key)).map(keyView), revoked_total: revoked.length };
    return succeed(request, reply, view);
  });

  server.post<{ Body: z.output<typeof newKey> }>('/portal/api/keys', { schema: { body: newKey }, onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const live = (await listKeys(store, accountId)).filter(({ revoked_at }) => revoked_at === null);
    if (live.length >= mostLiveKeys)
      throw new GatewayError('conflict', `The account has ${live.length} keys in use; revoke one that is not needed first.`);
    const label = request.body?.label ?? null;
    const key = await createKey(store, accountId, { label }, actOf(request, clock.now()));
    const view: NewKeyView = { ...keyView(key), key: key.key };
    return succeed(request, reply, view);
  });

  server.delete<{ Params: { id: string } }>('/portal/api/keys/:id', { onRequest }, async (request, reply) => {
    const id = request.params.id.toLowerCase();
    const own = (await listKeys(store, actingFor(request).accountId)).some((key) => key.id === id);
    if (!own) throw new GatewayError('not_found', 'The account has no such key.');
    return succeed(request, reply, keyView(await revokeKey(store, id, actOf(request, clock.now()))));
  });
}

function keyView(key: KeySummary): KeyView {
  return {
    key_id: key.id,
    prefix: key.prefix,
    label: key.label,
    created_at: iso(key.created_at),
    last_used_at: isoOrNull(key.last_used_at),
    revoked_at: isoOrNull(key.revoked_at),
  };
}
