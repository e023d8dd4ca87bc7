import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  keepFormer,
  listKeys,
  listPlans,
  revokeKey,
  selectFormer,
  selectOperatorSteps,
  showAccount,
  writeNote,
} from '../../accounts/index.ts';
import { removeTarget } from '../../alerts/index.ts';
import { iso } from '../../core/index.ts';
import { selectEverUsed } from '../../usage/index.ts';
import { endpoint } from '../endpoint.ts';
import { id } from '../fields.ts';
import { actingFor, actOf, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere } from '../reach.ts';
import { accountView } from '../views.ts';
import type { FirstSteps, FormerView } from '../wire/account.ts';
import type { OperatorSteps } from '../wire/operator.ts';

const decision = z.object({ kind: z.enum(['key', 'alert', 'note']), id, keep: z.boolean() });

/** The acting account: its terms, the progress of a new one (and of a new installation), and what it still has from its former provider's people. */
export function accountRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = actsForAccount(options);
  const owners = actsForAccount(options, ['operator', 'provider_admin', 'owner']);

  endpoint(server, 'GET /portal/api/account', { onRequest }, async (request) => {
    const [account, plans] = await Promise.all([showAccount(store, actingFor(request).accountId), listPlans(store)]);
    return accountView(account, plans);
  });

  endpoint(server, 'GET /portal/api/first-steps', { onRequest }, (request) => firstSteps(options, actingFor(request).accountId));

  endpoint(server, 'GET /portal/api/operator/first-steps', { onRequest: administers(options, { providerAdmins: false }) }, () =>
    operatorSteps(options),
  );

  endpoint(server, 'GET /portal/api/account/former', { onRequest: owners }, async (request) => {
    const rows = await selectFormer(store.db, actingFor(request).accountId);
    return { former: rows.map(({ made_at, ...row }): FormerView => ({ ...row, made_at: iso(made_at) })) };
  });

  endpoint(server, 'POST /portal/api/account/former', { onRequest: owners, body: decision }, async (request) => {
    const { accountId } = actingFor(request);
    const { kind, id: of, keep } = request.body;
    if (!(await selectFormer(store.db, accountId)).some((one) => one.kind === kind && one.id === of)) throw notThere('object');
    const act = actOf(request, clock.now());
    if (keep) await keepFormer(store, accountId, { kind, id: of }, act);
    else if (kind === 'key') await revokeKey(store, of, act);
    else if (kind === 'alert') await removeTarget(store, of, act);
    else await writeNote(store, accountId, '', act);
    return { kind, id: of, keep };
  });
}

/** Which of a new account's first steps have happened. */
export async function firstSteps({ store, sessions }: PortalOptions, accountId: string): Promise<FirstSteps> {
  const [keys, ever] = await Promise.all([listKeys(store, accountId), selectEverUsed(store.db, accountId)]);
  return {
    key: keys.length > 0,
    // A number that is deleted has been there all the same; one that was linked just now is counted a moment later.
    number: ever.connected || (await sessions.states.ofAccount(accountId)).some(({ phoneNumber }) => phoneNumber !== null),
    message: ever.sent,
  };
}

/** Which of a new installation's first steps have happened. */
export async function operatorSteps({ store }: PortalOptions): Promise<OperatorSteps> {
  const { demo, ...steps } = await selectOperatorSteps(store.db);
  return { ...steps, demo_account_id: demo };
}
