import type { FastifyRequest } from 'fastify';
import { type AccountSummary, endsSoonMs, listProviders, selectAccountPage } from '../../accounts/index.ts';
import { withTimeout } from '../../core/index.ts';
import { lastDay } from '../../usage/index.ts';
import type { PortalOptions } from '../portal-options.ts';
import { reachOf } from '../reach.ts';
import { iso } from '../times.ts';
import type { AdministeredHome, Few, HealthCheck, HomeAccount } from '../wire/index.ts';
import { few, mostTold, numbersInNeed, targetsInTrouble } from './shared.ts';

/** The first look at the gateway may ask other servers; the page does not wait for it. */
const healthMs = 1_000;

type Filter = Parameters<typeof selectAccountPage>[1];
type Sort = Parameters<typeof selectAccountPage>[3]['sort'];

/** What to know first of everything that the person administers. */
export async function administeredHome(options: PortalOptions, request: FastifyRequest): Promise<AdministeredHome> {
  const { store, clock } = options;
  const { providerIds } = reachOf(request.visitor);
  const now = clock.now();

  async function accounts<Told>(
    filter: Omit<Filter, 'providerIds' | 'now'>,
    told: (account: AccountSummary) => Told,
    sort: Sort = 'created',
  ): Promise<Few<Told>> {
    const page = await selectAccountPage(
      store.db,
      { ...filter, providerIds, now },
      // None of these filters asks how numbers are.
      { links: 'stored', dialect: store.dialect },
      { sort, descending: sort === 'created', from: null, limit: mostTold },
    );
    return { items: page.rows.map(told), total: page.total ?? page.rows.length };
  }

  const [all, numbers, targets, health, suspended, ended, providers, ending, trials, day] = await Promise.all([
    accounts({}, named),
    numbersInNeed(options, request, { providerIds }),
    targetsInTrouble(options, { providerIds }),
    providerIds === null ? checksInTrouble(options) : null,
    accounts({ state: 'suspended' }, named),
    accounts({ state: 'ended' }, named),
    listProviders(store),
    accounts({ endsWithinMs: endsSoonMs }, (account) => ({ ...named(account), ends_at: iso(firstEnd(account)) }), 'ends'),
    accounts({ state: 'trial_nearly_used' }, (account) => ({
      ...named(account),
      used: account.trial_used,
      limit: account.trial_message_limit ?? 0,
    })),
    lastDay(store, { accountId: null, providerIds }, { now, limit: mostTold }),
  ]);
  const stopped = providers.filter(({ id, status }) => status === 'suspended' && (providerIds === null || providerIds.includes(id)));
  return {
    accounts: all.total,
    numbers,
    failing_targets: targets,
    health,
    suspended,
    ended,
    suspended_providers: few(stopped, ({ id, name }) => ({ provider_id: id, name })),
    ending,
    trials,
    sends: day.sends,
    failing: {
      items: day.failing.items.map(({ failed, sends, ...account }) => ({ ...named(account), failed, sends })),
      total: day.failing.total,
    },
    busy: { items: day.busy.items.map(({ sends, usual, ...account }) => ({ ...named(account), sends, usual })), total: day.busy.total },
  };
}

function named({ id, name }: Pick<AccountSummary, 'id' | 'name'>): HomeAccount {
  return { account_id: id, name };
}

/** An account without an end is never among those that end. */
function firstEnd({ plan_ends_at, access_ends_at }: AccountSummary): number {
  return Math.min(plan_ends_at ?? Number.POSITIVE_INFINITY, access_ends_at ?? Number.POSITIVE_INFINITY);
}

/** The checks that are not fine. */
async function checksInTrouble({ clock, health }: PortalOptions): Promise<NonNullable<AdministeredHome['health']>> {
  const reading = await withTimeout<Awaited<ReturnType<typeof health.read>> | null>(clock, healthMs, health.read(), () => null);
  if (reading === null) return { checks: null };
  const checks = reading.findings.flatMap(({ check, state, message, mend }): HealthCheck[] =>
    state === 'ok' ? [] : [{ name: check, ok: state !== 'fail', state, message, mend }],
  );
  return { checks: checks.toSorted((one, other) => Number(one.ok) - Number(other.ok)) };
}
