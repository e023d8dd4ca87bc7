import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createKey, type KeySummary, keyActors, keySorts, keyView, revokeKey, selectKeyPage, selectKeysOf } from '../../accounts/index.ts';
import type { Acted } from '../../audit/index.ts';
import { GatewayError } from '../../core/index.ts';
import { endpoint } from '../endpoint.ts';
import { isId, keyLabel, search } from '../fields.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../listing/bulk.ts';
import { columnsOf } from '../listing/csv.ts';
import { listRoutes } from '../listing/list.ts';
import { accountFromQuery, actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { ActorView, KeyDetail, KeyView, NewKeyView } from '../wire/account.ts';

/** Live keys one account may have by the portal; far above what rotation needs. */
const mostLiveKeys = 100;

const newKey = z.object({ label: keyLabel.nullish() }).nullish();

/** GET and POST /portal/api/keys, GET and DELETE /portal/api/keys/{key_id}: the account's API keys. */
export function keyRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options);

  listRoutes(server, options, {
    path: '/portal/api/keys',
    file: 'keys',
    sorts: keySorts,
    usual: 'created',
    filters: { search, state: z.enum(['in_use', 'revoked']).optional() },
    onRequest: [accountFromQuery, onRequest],
    read: (request, query, part) => selectKeyPage(store.db, { ...query, accountId: actingFor(request).accountId }, part),
    view: (_request, rows) => rows.map(keyView),
    columns: columnsOf<KeyView>('key_id', 'prefix', 'label', 'created_at', 'last_used_at', 'revoked_at'),
  });

  bulkRoute(server, options, {
    path: '/portal/api/keys/bulk',
    body: z.object({ ...bulkFields, action: z.literal('revoke') }),
    onRequest,
    what: 'key',
    async intend(request, { ids }) {
      const { accountId } = actingFor(request);
      const keys = await selectKeysOf(store.db, accountId, ids);
      return new Map(keys.map((key) => [key.id, revocation(key, accountId)]));
    },
  });

  endpoint(server, 'POST /portal/api/keys', { onRequest, body: newKey }, async (request): Promise<NewKeyView> => {
    const { accountId } = actingFor(request);
    const wanted = { label: request.body?.label ?? null, mostLive: mostLiveKeys };
    const key = await createKey(store, accountId, wanted, actOf(request, clock.now()));
    return { ...keyView(key), key: key.key };
  });

  endpoint(server, 'GET /portal/api/keys/:id', { onRequest }, async (request): Promise<KeyDetail> => {
    const key = await ownKey(request, request.params.id);
    const { made, revoked } = await keyActors(store, key);
    return { ...keyView(key), created_by: made && actorView(made), revoked_by: revoked && actorView(revoked) };
  });

  endpoint(server, 'DELETE /portal/api/keys/:id', { onRequest }, async (request): Promise<KeyView> => {
    const { id } = await ownKey(request, request.params.id);
    return keyView(await revokeKey(store, id, actOf(request, clock.now())));
  });

  async function ownKey(request: FastifyRequest, asked: string): Promise<KeySummary> {
    const [key] = isId(asked) ? await selectKeysOf(store.db, actingFor(request).accountId, [asked.toLowerCase()]) : [];
    if (key === undefined) throw new GatewayError('not_found', 'This account has no such key.');
    return key;
  }
}

function revocation({ id, label, prefix, revoked_at }: KeySummary, accountId: string): Intention {
  const name = label ?? prefix;
  if (revoked_at !== null) return { name, work: reason('nothing_to_do', 'It is revoked already.') };
  return { name, work: [{ method: 'DELETE', url: `/portal/api/keys/${id}`, accountId }] };
}

function actorView({ actor_kind, actor_name }: Acted): ActorView {
  return { kind: actor_kind, name: actor_name };
}
