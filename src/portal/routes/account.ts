import type { FastifyInstance } from 'fastify';
import { listKeys, listPlans, showAccount } from '../../accounts/index.ts';
import { succeed } from '../../http/index.ts';
import { everUsed } from '../../usage/index.ts';
import { accountView } from '../account-view.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { FirstSteps } from '../wire/index.ts';

/** GET /portal/api/account and /portal/api/first-steps: the acting account's terms, and the progress of a new one. */
export function accountRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, sessions } = options;
  const onRequest = actsForAccount(options);

  server.get('/portal/api/account', { onRequest }, async (request, reply) => {
    const [account, plans] = await Promise.all([showAccount(store, actingFor(request).accountId), listPlans(store)]);
    return succeed(request, reply, accountView(account, plans));
  });

  server.get('/portal/api/first-steps', { onRequest }, async (request, reply) => {
    const { accountId } = actingFor(request);
    const [keys, ever] = await Promise.all([listKeys(store, accountId), everUsed(store, accountId)]);
    const steps: FirstSteps = {
      key: keys.length > 0,
      // A number that is deleted has been there all the same; one that was linked just now is counted a moment later.
      number: ever.connected || (await sessions.states.ofAccount(accountId)).some(({ phoneNumber }) => phoneNumber !== null),
      message: ever.sent,
    };
    return succeed(request, reply, steps);
  });
}
