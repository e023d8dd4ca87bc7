import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { accountSorts, accountStates, countNeedingPerson, listPlans, selectAccountPage } from '../../../accounts/index.ts';
import { dayMs, moment } from '../../../core/index.ts';
import { accountsOfHour, accountsOfLastDay, sendsOfLastDay } from '../../../usage/index.ts';
import { id, search } from '../../fields.ts';
import { columnsOf } from '../../listing/csv.ts';
import { listRoutes } from '../../listing/list.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { providersAsked } from '../../reach.ts';
import { accountView } from '../../views.ts';
import type { ListedAccount } from '../../wire/account.ts';

const filters = {
  search,
  provider_id: id.optional(),
  state: z.enum(accountStates).optional(),
  plan: id.optional(),
  ends_within: z
    .string()
    .regex(/^[1-9][0-9]{0,2}$/, { error: 'must be a number of days from 1 to 999' })
    .transform(Number)
    .optional(),
  needs_person: z.literal('1', { error: 'must be 1 or left out' }).optional(),
  sends: z.enum(['failing', 'busy']).optional(),
  hour: moment.optional(),
  outcome: z.enum(['sent', '4xx', '5xx'], { error: 'must be sent, 4xx or 5xx' }).optional(),
};

const ends = { sent: 'accepted', '4xx': 'refused', '5xx': 'failed' } as const;

/** GET /portal/api/operator/accounts: every account for an operator, a provider's for its admin. */
export function accountListRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, sessions } = options;
  listRoutes(server, options, {
    path: '/portal/api/operator/accounts',
    file: 'accounts',
    sorts: accountSorts,
    usual: '-created',
    filters,
    onRequest: [administers(options, { providerAdmins: true })],
    async read(request, { search, provider_id, state, plan, ends_within, needs_person, sends, hour, outcome }, part) {
      const now = clock.now();
      return selectAccountPage(
        store.db,
        {
          providerIds: providersAsked(request, provider_id),
          search,
          state,
          planId: plan?.toLowerCase(),
          endsWithinMs: ends_within === undefined ? undefined : ends_within * dayMs,
          needsPerson: needs_person === '1',
          ids:
            hour !== undefined
              ? await accountsOfHour(store, hour, outcome && ends[outcome])
              : sends === undefined
                ? undefined
                : await accountsOfLastDay(store, sends, now),
          now,
        },
        sessions.states.connections(),
        part,
      );
    },
    async view(_request, rows) {
      const now = clock.now();
      const ids = rows.map(({ id }) => id);
      const [plans, waiting, sends] = await Promise.all([
        listPlans(store),
        countNeedingPerson(store.db, ids, sessions.states.connections(ids), now),
        sendsOfLastDay(store, ids, now),
      ]);
      return rows.map((account) => {
        const { accepted = 0, failed = 0 } = sends.get(account.id) ?? {};
        return { ...accountView(account, plans), needs_person: waiting.get(account.id) ?? 0, sends: { accepted, failed } };
      });
    },
    columns: {
      ...columnsOf<ListedAccount>('account_id', 'name'),
      provider: (account) => account.provider_name,
      status: (account) => account.status,
      plan: (account) => account.plan?.name ?? null,
      ...columnsOf<ListedAccount>('plan_ends_at', 'access_ends_at', 'numbers'),
      number_limit: (account) => account.instance_limit ?? account.plan?.instance_limit ?? null,
      ...columnsOf<ListedAccount>('needs_person'),
      sends_of_last_day: ({ sends }) => sends.accepted,
      failed_of_last_day: ({ sends }) => sends.failed,
      keys_in_use: (account) => account.live_keys,
      ...columnsOf<ListedAccount>('trial_used', 'created_at'),
    },
  });
}
