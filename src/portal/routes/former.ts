import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { formerOf, keepFormer, revokeKey, writeNote } from '../../accounts/index.ts';
import { removeTarget } from '../../alerts/index.ts';
import { succeed } from '../../http/index.ts';
import { id } from '../fields.ts';
import { fromOperatorInputLater } from '../input.ts';
import { actingFor, actOf, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere } from '../reach.ts';
import { iso } from '../times.ts';
import type { FormerView } from '../wire/index.ts';

const path = '/portal/api/account/former';
const decision = z.object({ kind: z.enum(['key', 'alert', 'note']), id, keep: z.boolean() });

/** GET and POST /portal/api/account/former: what the account has from its former provider's people, to keep or to end. */
export function formerRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options, ['operator', 'provider_admin', 'owner']);

  server.get(path, { onRequest }, async (request, reply) => {
    const rows = await formerOf(store, actingFor(request).accountId);
    const former = rows.map(
      ({ kind, id: of, name, made_by, made_at }): FormerView => ({ kind, id: of, name, made_by, made_at: iso(made_at) }),
    );
    return succeed(request, reply, { former });
  });

  server.post<{ Body: z.output<typeof decision> }>(path, { schema: { body: decision }, onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const { kind, id: of, keep } = request.body;
    if (!(await formerOf(store, accountId)).some((one) => one.kind === kind && one.id === of)) throw notThere('object');
    const act = actOf(request, clock.now());
    await fromOperatorInputLater<unknown>(() => {
      if (keep) return keepFormer(store, accountId, { kind, id: of }, act);
      switch (kind) {
        case 'key':
          return revokeKey(store, of, act);
        case 'alert':
          return removeTarget(store, of, act);
        case 'note':
          return writeNote(store, accountId, '', act);
      }
    });
    return succeed(request, reply, { kind, id: of, keep });
  });
}
