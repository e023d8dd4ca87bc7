import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { createKey, type KeySummary, keyActors, keySorts, listKeys, revokeKey, selectKeyPage, selectKeysOf } from '../../accounts/index.ts';
import { GatewayError } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { accountFromQuery } from '../account-from-query.ts';
import { isId, keyLabel, search } from '../fields.ts';
import { bulkFields, bulkRoute, type Intention, reason } from '../listing/bulk.ts';
import { listRoutes } from '../listing/list.ts';
import { actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { iso, isoOrNull } from '../times.ts';
import type { ActorView, KeyDetail, KeyView, NewKeyView } from '../wire/index.ts';

/** Live keys one account may have by the portal; far above what rotation needs. */
const mostLiveKeys = 100;

interface OfKey {
  Params: { id: string };
}

const newKey = z.object({ label: keyLabel.nullish() }).nullish();

/** GET and POST /portal/api/keys, GET and DELETE /portal/api/keys/{key_id}: the account's API keys. */
export function keyRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options);

  listRoutes(server, options, {
    path: '/portal/api/keys',
    file: 'keys',
    sorts: keySorts,
    ids: 'text',
    usual: 'created',
    filters: { search, state: z.enum(['in_use', 'revoked']).optional() },
    onRequest: [accountFromQuery, onRequest],
    read: (request, query, part) => selectKeyPage(store.db, { ...query, accountId: actingFor(request).accountId }, part),
    view: (_request, rows) => rows.map(keyView),
    idOf: ({ id }) => id,
    columns: {
      key_id: (key) => key.key_id,
      prefix: (key) => key.prefix,
      label: (key) => key.label,
      created_at: (key) => key.created_at,
      last_used_at: (key) => key.last_used_at,
      revoked_at: (key) => key.revoked_at,
    },
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

  server.post<{ Body: z.output<typeof newKey> }>('/portal/api/keys', { schema: { body: newKey }, onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const live = (await listKeys(store, accountId)).filter(({ revoked_at }) => revoked_at === null);
    if (live.length >= mostLiveKeys)
      throw new GatewayError('conflict', `The account has ${live.length} keys in use; revoke one you no longer need first.`);
    const label = request.body?.label ?? null;
    const key = await createKey(store, accountId, { label }, actOf(request, clock.now()));
    const view: NewKeyView = { ...keyView(key), key: key.key };
    return succeed(request, reply, view);
  });

  server.get<OfKey>('/portal/api/keys/:id', { onRequest }, async (request, reply) => {
    const key = await ownKey(request);
    const { made, revoked } = await keyActors(store, key);
    const view: KeyDetail = { ...keyView(key), created_by: made && actorView(made), revoked_by: revoked && actorView(revoked) };
    return succeed(request, reply, view);
  });

  server.delete<OfKey>('/portal/api/keys/:id', { onRequest }, async (request, reply) => {
    const { id } = await ownKey(request);
    return succeed(request, reply, keyView(await revokeKey(store, id, actOf(request, clock.now()))));
  });

  async function ownKey(request: FastifyRequest<OfKey>): Promise<KeySummary> {
    const id = request.params.id.toLowerCase();
    const [key] = isId(id) ? await selectKeysOf(store.db, actingFor(request).accountId, [id]) : [];
    if (key === undefined) throw new GatewayError('not_found', 'This account has no such key.');
    return key;
  }
}

function revocation({ id, label, prefix, revoked_at }: KeySummary, accountId: string): Intention {
  const name = label ?? prefix;
  if (revoked_at !== null) return { name, work: reason('nothing_to_do', 'It is revoked already.') };
  return { name, work: [{ method: 'DELETE', url: `/portal/api/keys/${id}`, accountId }] };
}

function actorView({ actor_kind, actor_name }: NonNullable<Awaited<ReturnType<typeof keyActors>>['made']>): ActorView {
  return { kind: actor_kind, name: actor_name };
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
