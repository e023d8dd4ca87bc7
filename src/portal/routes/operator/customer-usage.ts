import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { GatewayError, utcDay } from '../../../core/index.ts';
import { succeed } from '../../../http/index.ts';
import { messageTypes } from '../../../kinds/index.ts';
import { type AccountUsage, addUp, inOrder, monthsOf, type Used, usageOfAccounts, usageOrders, usedView } from '../../../usage/index.ts';
import { id, search } from '../../fields.ts';
import { type CsvColumns, csvStream } from '../../listing/csv.ts';
import { administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { notThere, reachOf } from '../../reach.ts';
import type { CustomersUsage, CustomerUsage } from '../../wire/index.ts';

const dayMs = 24 * 60 * 60 * 1000;
const mostDays = 366;
const pageSize = 50;

const day = z.iso.date({ error: 'must be a day, as YYYY-MM-DD' });
const wanted = z.object({ from: day.optional(), to: day.optional(), search, provider_id: id.optional() });
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

type Wanted = z.output<typeof wanted>;

/** GET /portal/api/operator/usage and usage.csv: what the accounts used, for operators and the admins of their providers. */
export function customerUsageRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const onRequest = administers(options, { providerAdmins: true });

  server.get<{ Querystring: z.output<typeof wantedPage> }>(
    '/portal/api/operator/usage',
    { schema: { querystring: wantedPage }, onRequest },
    async (request, reply) => {
      const { page, order, descending } = request.query;
      const { from, to, list } = await read(request, request.query);
      const shown = inOrder(list, order, descending).slice((page - 1) * pageSize, page * pageSize);
      const view: CustomersUsage = {
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
      return succeed(request, reply, view);
    },
  );

  server.get<{ Querystring: Wanted }>(
    '/portal/api/operator/usage.csv',
    { schema: { querystring: wanted }, onRequest },
    async (request, reply) => {
      const { from, to, list } = await read(request, request.query);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', `attachment; filename="usage-of-accounts-${from}-to-${to}.csv"`)
        .send(csvStream(columns, monthLines(inOrder(list, 'name', false), monthsOf(from, to))));
    },
  );

  async function read(request: FastifyRequest, query: Wanted): Promise<{ from: string; to: string; list: AccountUsage[] }> {
    const today = utcDay(clock.now());
    const to = query.to ?? today;
    const from = query.from ?? `${to.slice(0, 7)}-01`;
    const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (count < 1) throw new GatewayError('invalid_request', 'to must not be before from.', { field: 'to' });
    if (count > mostDays)
      throw new GatewayError('invalid_request', `to must be at most ${mostDays} days after from, both included.`, { field: 'to' });
    const { providerIds } = reachOf(request.visitor);
    const providerId = query.provider_id?.toLowerCase();
    if (providerId !== undefined && providerIds !== null && !providerIds.includes(providerId)) throw notThere('provider');
    const list = await usageOfAccounts(store, { providerIds: providerId === undefined ? providerIds : [providerId], from, to, today });
    const text = query.search?.toLowerCase();
    return { from, to, list: text === undefined ? list : list.filter(({ account }) => fits(account, text)) };
  }
}

/** What an account used in one month. */
interface MonthLine extends AccountUsage {
  readonly month: string;
  readonly used: Used;
}

/** A line for each account and month, account after account. */
function* monthLines(list: readonly AccountUsage[], months: readonly string[]): Iterable<readonly MonthLine[]> {
  for (const usage of list) yield months.map((month) => ({ ...usage, month, used: usage.months.get(month) ?? addUp([]) }));
}

const columns: CsvColumns<MonthLine> = {
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

function usageView({ account, numbers, allowed, ...used }: AccountUsage): CustomerUsage {
  return {
    account_id: account.id,
    name: account.name,
    reference: account.reference,
    provider_name: account.provider_name,
    status: account.status,
    plan_name: account.plan_name,
    ...usedView(used),
    numbers,
    instance_limit: allowed.limit,
    messages_per_minute: account.messages_per_minute,
    trial_message_limit: account.trial_message_limit,
    trial_used: account.trial_used,
  };
}
