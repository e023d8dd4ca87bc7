import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type AccountSummary,
  type ActingFor,
  endsSoonMs,
  isNetworkUsed,
  listPlans,
  listProviders,
  type NumberFilter,
  selectAccountPage,
  selectNumberPage,
  selectReasons,
  showAccount,
} from '../../accounts/index.ts';
import { failingTargets } from '../../alerts/index.ts';
import { hourMs, iso, isoOrNull, withTimeout } from '../../core/index.ts';
import type { Texts } from '../../language/index.ts';
import { numberReasons, numberStory, storedNumber } from '../../sessions/index.ts';
import { endsByHour, lastDay, numbersByDay, type SendsScope, usualOfBusy } from '../../usage/index.ts';
import { endpoint } from '../endpoint.ts';
import { spoken, textsFor } from '../language.ts';
import { signedIn } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { reachOf } from '../reach.ts';
import { accountView } from '../views.ts';
import type { Few, HomeAccount, HomeSends } from '../wire/home.ts';
import type { HealthCheck, NumberReason } from '../wire/operator.ts';
import { checkView } from './operator/health.ts';

/** So many of each kind are shown, and how many more there are. */
const mostShown = 5;
/** The first look at the gateway may ask other servers; the page does not wait for it. */
const healthMs = 1_000;

/** GET /portal/api/home: what to know first. */
export function homeRoute(server: FastifyInstance, options: PortalOptions): void {
  endpoint(server, 'GET /portal/api/home', { onRequest: signedIn(options) }, (request) => homeView(options, request));
}

/** What to know first, of the account that is acted for and of everything that the person administers. */
export async function homeView(options: PortalOptions, request: FastifyRequest) {
  const { acting, places } = request.visitor;
  const administers = places.some(({ role }) => role === 'operator' || role === 'provider_admin');
  const [account, administered] = await Promise.all([
    acting === null ? null : accountHome(options, request, acting),
    administers ? administeredHome(options, request) : null,
  ]);
  return { account, administered };
}

/** What to know first of the account that is acted for. */
async function accountHome(options: PortalOptions, request: FastifyRequest, { accountId, role }: Pick<ActingFor, 'accountId' | 'role'>) {
  const { store, clock } = options;
  const [account, plans, inNeed, targets, day] = await Promise.all([
    showAccount(store, accountId),
    listPlans(store),
    numbersInNeed(options, request, { providerIds: null, accountId }),
    // As its list: not for members.
    targetsInTrouble(options, role === 'member' ? null : { accountId }),
    pictured(options, { accountId }),
  ]);
  const sends = day.sends.accepted;
  const usual = await usualOfBusy(store, accountId, sends, clock.now());
  return {
    account: accountView(account, plans),
    ...inNeed,
    failing_targets: targets,
    ...day,
    busy: usual === null ? null : { sends, usual },
  };
}

type Filter = Parameters<typeof selectAccountPage>[1];
type Sort = Parameters<typeof selectAccountPage>[3]['sort'];

/** What to know first of everything that the person administers. */
async function administeredHome(options: PortalOptions, request: FastifyRequest) {
  const { store, clock } = options;
  const { providerIds } = reachOf(request.visitor);
  const now = clock.now();

  async function accounts<View>(
    filter: Omit<Filter, 'providerIds' | 'now'>,
    view: (account: AccountSummary) => View,
    sort: Sort = 'created',
  ): Promise<Few<View>> {
    const page = await selectAccountPage(
      store.db,
      { ...filter, providerIds, now },
      // None of these filters asks how numbers are.
      'stored',
      { sort, descending: sort === 'created', from: null, limit: mostShown },
    );
    return { items: page.rows.map(view), total: page.total ?? page.rows.length };
  }

  const [all, inNeed, targets, health, suspended, ended, providers, ending, trials, day, { failing, busy }] = await Promise.all([
    accounts({}, named),
    numbersInNeed(options, request, { providerIds }),
    targetsInTrouble(options, { providerIds }),
    providerIds === null ? checksInTrouble(options, textsFor(options, request)) : null,
    accounts({ state: 'suspended' }, named),
    accounts({ state: 'ended' }, named),
    listProviders(store),
    accounts({ endsWithinMs: endsSoonMs }, (account) => ({ ...named(account), ends_at: iso(firstEnd(account)) }), 'ends'),
    accounts({ state: 'trial_nearly_used' }, (account) => ({
      ...named(account),
      used: account.trial_used,
      limit: account.trial_message_limit ?? 0,
    })),
    pictured(options, { providerIds }),
    lastDay(store, providerIds, { now, limit: mostShown }),
  ]);
  const stopped = providers.filter(({ id, status }) => status === 'suspended' && (providerIds === null || providerIds.includes(id)));
  return {
    accounts: all.total,
    ...inNeed,
    failing_targets: targets,
    health,
    suspended,
    ended,
    suspended_providers: few(stopped, ({ id, name }) => ({ provider_id: id, name })),
    ending,
    trials,
    ...day,
    failing: { ...failing, items: failing.items.map(({ failed, sends, ...account }) => ({ ...named(account), failed, sends })) },
    busy: { ...busy, items: busy.items.map(({ sends, usual, ...account }) => ({ ...named(account), sends, usual })) },
  };
}

/** How sends ended and numbers were connected, from what is counted anyway: no row of a request is read. */
async function pictured({ store, clock }: PortalOptions, of: SendsScope) {
  const now = clock.now();
  const [hours, days] = await Promise.all([endsByHour(store, of, now), numbersByDay(store, of, now)]);
  const sum = (end: keyof HomeSends) => hours.reduce((total, { sends }) => total + sends[end], 0);
  return {
    sends: { accepted: sum('accepted'), failed: sum('failed'), refused: sum('refused') },
    hours: hours.map(({ hour, sends, weekBefore }) => ({ at: iso(hour * hourMs), sends, week_before: weekBefore })),
    days,
  };
}

function named({ id, name }: Pick<AccountSummary, 'id' | 'name'>): HomeAccount {
  return { account_id: id, name };
}

/** An account without an end is never among those that end. */
function firstEnd({ plan_ends_at, access_ends_at }: AccountSummary): number {
  return Math.min(plan_ends_at ?? Number.POSITIVE_INFINITY, access_ends_at ?? Number.POSITIVE_INFINITY);
}

/** The checks that are not fine. That WhatsApp cannot be reached troubles nobody before there is a number of it; the health page says it always. */
async function checksInTrouble(
  { store, clock, health }: PortalOptions,
  texts: Texts,
): Promise<{ readonly checks: readonly HealthCheck[] | null }> {
  const reading = await withTimeout<Awaited<ReturnType<typeof health.read>> | null>(clock, healthMs, health.read(), () => null);
  if (reading === null) return { checks: null };
  const used = await isNetworkUsed(store.db, 'whatsapp');
  const checks = reading.findings
    .filter(({ check, state }) => state !== 'ok' && (used || check !== 'whatsapp'))
    .map((finding) => checkView(finding, texts));
  return { checks: checks.toSorted((one, other) => Number(one.ok) - Number(other.ok)) };
}

/** The newest numbers that only a person can bring back, as far as the store knows: asking every connection would cost more than it is worth. */
async function numbersInNeed(options: PortalOptions, request: FastifyRequest, of: Pick<NumberFilter, 'providerIds' | 'accountId'>) {
  const { store, clock } = options;
  const now = clock.now();
  const filter = { ...of, standing: 'needs_person', now } as const;
  const page = await selectNumberPage(store.db, filter, 'stored', { sort: 'created', descending: true, from: null, limit: mostShown });
  const t = spoken(options, request);
  const items = await Promise.all(
    page.rows.map(async (row) => {
      // Who did it is on the number's page.
      const { why, since } = await numberStory(store, storedNumber(row, now), () => null, t);
      return {
        instance_id: row.id,
        label: row.label,
        phone_number: row.phone_number,
        account_id: row.account_id,
        account_name: row.account_name,
        why,
        since: isoOrNull(since),
      };
    }),
  );
  const total = page.total ?? items.length;
  return { numbers: { items, total }, reasons: total > items.length ? shownReasons(await selectReasons(store.db, filter, 'stored')) : [] };
}

/** The reason of most first, with those together that nothing explains. */
function shownReasons(found: Awaited<ReturnType<typeof selectReasons>>) {
  const together = Map.groupBy(found, (row): NumberReason | null => numberReasons.find((one) => one === row.reason) ?? null);
  const reasons = [...together].map(([reason, rows]) => ({
    reason,
    count: rows.reduce((sum, { count }) => sum + count, 0),
    since: reason === null ? null : isoOrNull(rows[0]?.since ?? null),
  }));
  return reasons.toSorted((one, other) => other.count - one.count);
}

/** The alert targets that nothing arrives at; `within` null: the person may see none. */
async function targetsInTrouble({ store }: PortalOptions, within: Parameters<typeof failingTargets>[1] | null) {
  const failing = within === null ? [] : await failingTargets(store.db, within);
  return few(failing, ({ id, kind, address, outcome, at }) => ({
    target_id: id,
    kind,
    address,
    outcome,
    at: iso(at),
  }));
}

function few<Item, View>(all: readonly Item[], view: (item: Item) => View): Few<View> {
  return { items: all.slice(0, mostShown).map(view), total: all.length };
}
