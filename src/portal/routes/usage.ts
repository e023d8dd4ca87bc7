import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { allowance, showAccount } from '../../accounts/index.ts';
import { dayMs, GatewayError, utcDay } from '../../core/index.ts';
import { messageTypes } from '../../kinds/index.ts';
import {
  type AccountUsage,
  addUp,
  inOrder,
  monthsOf,
  type UsageDay,
  type Used,
  usage,
  usageOfAccounts,
  usageOrders,
  usedView,
} from '../../usage/index.ts';
import { boundExports } from '../bounds.ts';
import { endpoint } from '../endpoint.ts';
import { id, search } from '../fields.ts';
import { type CsvColumns, csvStream, sendFile } from '../listing/csv.ts';
import { accountFromQuery, actingFor, actsForAccount, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { providersAsked } from '../reach.ts';
import { usageView } from '../views.ts';

const usualDays = 30;
const mostDays = 366;
const pageSize = 50;

const day = z.iso.date({ error: 'must be a day, as YYYY-MM-DD' });
const period = z.object({ from: day.optional(), to: day.optional() });
const wanted = period.extend({ search, provider_id: id.optional() });
const page = z
  .string()
  .regex(/^[1-9][0-9]{0,5}$/, { error: 'must be the number of a page' })
  .transform(Number)
  .default(1);
const wantedPage = wanted.extend({
  page,
  order: z.enum(usageOrders).default('name'),
  descending: z
    .enum(['true', 'false'])
    .default('false')
    .transform((word) => word === 'true'),
});

/** What the acting account used on each UTC day, and the same as a file. */
export function usageRoutes(server: FastifyInstance, options: PortalOptions): void {
  const asked = { query: period, onRequest: [accountFromQuery, actsForAccount(options)] };

  endpoint(server, 'GET /portal/api/usage', asked, (request) => accountUsage(options, actingFor(request).accountId, request.query));

  endpoint(server, 'GET /portal/api/usage.csv', asked, async (request, reply) => {
    await boundExports(options.limiter, reply, request.visitor.userId);
    const { from, to, days } = await readDays(options, actingFor(request).accountId, request.query);
    return sendFile(reply, `usage-${from}-to-${to}`, csvStream(dayColumns, [days]));
  });
}

export async function accountUsage(options: PortalOptions, accountId: string, query: z.output<typeof period>) {
  const account = await showAccount(options.store, accountId);
  const { from, to, days } = await readDays(options, accountId, query);
  const { limit, source } = allowance(account);
  return {
    from,
    to,
    days: days.map(({ day, ...used }) => ({ day, ...usedView(used) })),
    totals: usedView(addUp(days)),
    limits: {
      messages_per_minute: account.messages_per_minute,
      instance_limit: limit,
      limit_source: source,
      numbers: account.numbers,
      trial_message_limit: account.trial_message_limit,
      trial_used: account.trial_used,
    },
  };
}

async function readDays({ store, clock }: PortalOptions, accountId: string, query: z.output<typeof period>) {
  const to = query.to ?? utcDay(clock.now());
  const from = query.from ?? utcDay(Date.parse(to) - (usualDays - 1) * dayMs);
  checkPeriod(from, to);
  return { from, to, days: await usage(store, accountId, from, to) };
}

/** What the accounts used, for operators and the admins of their providers, and the same as a file. */
export function customerUsageRoutes(server: FastifyInstance, options: PortalOptions): void {
  const onRequest = administers(options, { providerAdmins: true });

  endpoint(server, 'GET /portal/api/operator/usage', { onRequest, query: wantedPage }, (request) =>
    customersUsage(options, request, request.query),
  );

  endpoint(server, 'GET /portal/api/operator/usage.csv', { onRequest, query: wanted }, async (request, reply) => {
    await boundExports(options.limiter, reply, request.visitor.userId);
    const { from, to, list } = await readAccounts(options, request, request.query);
    const lines = monthLines(inOrder(list, 'name', false), monthsOf(from, to));
    return sendFile(reply, `usage-of-accounts-${from}-to-${to}`, csvStream(monthColumns, lines));
  });
}

export async function customersUsage(options: PortalOptions, request: FastifyRequest, query: z.output<typeof wantedPage>) {
  const { page, order, descending } = query;
  const { from, to, list } = await readAccounts(options, request, query);
  const shown = inOrder(list, order, descending).slice((page - 1) * pageSize, page * pageSize);
  return {
    from,
    to,
    accounts: shown.map(usageView),
    total: list.length,
    page,
    page_size: pageSize,
    totals: usedView(addUp(list)),
    months: monthsOf(from, to).map((month) => {
      const used = addUp(list.flatMap(({ months }) => months.get(month) ?? []));
      return { month, sends: used.sends, number_days: used.numberDays };
    }),
  };
}

async function readAccounts({ store, clock }: PortalOptions, request: FastifyRequest, query: z.output<typeof wanted>) {
  const today = utcDay(clock.now());
  const to = query.to ?? today;
  const from = query.from ?? `${to.slice(0, 7)}-01`;
  checkPeriod(from, to);
  const list = await usageOfAccounts(store, { providerIds: providersAsked(request, query.provider_id), from, to, today });
  const text = query.search?.toLowerCase();
  return { from, to, list: text === undefined ? list : list.filter(({ account }) => fits(account, text)) };
}

function checkPeriod(from: string, to: string): void {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  if (count < 1) throw new GatewayError('invalid_request', 'to must not be before from.', { field: 'to' });
  if (count > mostDays)
    throw new GatewayError('invalid_request', `to must be at most ${mostDays} days after from, both included.`, { field: 'to' });
}

const dayColumns: CsvColumns<UsageDay> = {
  day: ({ day }) => day,
  sends: ({ sends }) => sends,
  number_days: ({ numberDays }) => numberDays,
  ...Object.fromEntries(messageTypes.map((type) => [type, ({ byType }: UsageDay) => byType[type] ?? 0])),
};

interface MonthLine extends AccountUsage {
  readonly month: string;
  readonly used: Used;
}

function* monthLines(list: readonly AccountUsage[], months: readonly string[]): Iterable<readonly MonthLine[]> {
  for (const usage of list) yield months.map((month) => ({ ...usage, month, used: usage.months.get(month) ?? addUp([]) }));
}

const monthColumns: CsvColumns<MonthLine> = {
  month: ({ month }) => month,
  account_id: ({ account }) => account.id,
  account: ({ account }) => account.name,
  reference: ({ account }) => account.reference,
  provider: ({ account }) => account.provider_name,
  status: ({ account }) => account.status,
  plan: ({ account }) => account.plan_name,
  sends: ({ used }) => used.sends,
  number_days: ({ used }) => used.numberDays,
  numbers_now: ({ numbers }) => numbers,
  numbers_allowed: ({ allowed }) => allowed.limit,
  messages_per_minute: ({ account }) => account.messages_per_minute,
  trial_used: ({ account }) => (account.trial_message_limit === null ? null : account.trial_used),
  trial_message_limit: ({ account }) => account.trial_message_limit,
  ...Object.fromEntries(messageTypes.map((type) => [type, ({ used }: MonthLine) => used.byType[type] ?? 0])),
};

function fits({ id, name, reference }: AccountUsage['account'], text: string): boolean {
  return name.toLowerCase().includes(text) || id === text || reference?.toLowerCase().includes(text) === true;
}
