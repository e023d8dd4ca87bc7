import type { FastifyRequest } from 'fastify';
import { type ActingFor, listPlans, showAccount } from '../../accounts/index.ts';
import { lastDay } from '../../usage/index.ts';
import { accountView } from '../account-view.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { AccountHome } from '../wire/index.ts';
import { none, numbersInNeed, targetsInTrouble } from './shared.ts';

/** What to know first of the account that is acted for. */
export async function accountHome(
  options: PortalOptions,
  request: FastifyRequest,
  { accountId, role }: Pick<ActingFor, 'accountId' | 'role'>,
): Promise<AccountHome> {
  const { store, clock } = options;
  const [account, plans, numbers, targets, { sends, busy }] = await Promise.all([
    showAccount(store, accountId),
    listPlans(store),
    numbersInNeed(options, request, { providerIds: null, accountId }),
    // As its list: not for members.
    role === 'member' ? none : targetsInTrouble(options, { accountId }),
    lastDay(store, { accountId, providerIds: null }, { now: clock.now(), limit: 1 }),
  ]);
  const [own] = busy.items;
  return {
    account: accountView(account, plans),
    numbers,
    failing_targets: targets,
    sends,
    busy: own === undefined ? null : { sends: own.sends, usual: own.usual },
  };
}
