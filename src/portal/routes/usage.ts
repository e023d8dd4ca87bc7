import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { allowance, showAccount } from '../../accounts/index.ts';
import { GatewayError, utcDay } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import { messageTypes } from '../../kinds/index.ts';
import { addUp, type UsageDay, usage, usedView } from '../../usage/index.ts';
import { accountFromQuery } from '../account-from-query.ts';
import { type CsvColumns, csvStream } from '../listing/csv.ts';
import { actingFor, actsForAccount } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import type { UsageView } from '../wire/index.ts';

const dayMs = 24 * 60 * 60 * 1000;
const usualDays = 30;
const mostDays = 366;

const day = z.iso.date({ error: 'must be a day, as YYYY-MM-DD' });
const period = z.object({ from: day.optional(), to: day.optional() });

interface UsageRequest {
  Querystring: z.output<typeof period>;
}

/** GET /portal/api/usage and /portal/api/usage.csv: what the account used on each UTC day. */
export function usageRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock } = options;
  const route = { schema: { querystring: period }, onRequest: [accountFromQuery, actsForAccount(options)] };

  server.get<UsageRequest>('/portal/api/usage', route, async (request, reply) => {
    const account = await showAccount(store, actingFor(request).accountId);
    const { from, to, days } = await read(request);
    const { limit, source } = allowance({
      operator: account.operator,
      freeSlots: account.free_slots,
      ownLimit: account.instance_limit,
      planLimit: account.plan_instance_limit,
    });
    const view: UsageView = {
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
    return succeed(request, reply, view);
  });

  server.get<UsageRequest>('/portal/api/usage.csv', route, async (request, reply) => {
    const { from, to, days } = await read(request);
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="usage-${from}-to-${to}.csv"`)
      .send(csvStream(columns, [days]));
  });

  async function read(request: FastifyRequest<UsageRequest>): Promise<{ from: string; to: string; days: UsageDay[] }> {
    const to = request.query.to ?? utcDay(clock.now());
    const from = request.query.from ?? utcDay(Date.parse(to) - (usualDays - 1) * dayMs);
    const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
    if (count < 1) throw new GatewayError('invalid_request', 'to must not be before from.', { field: 'to' });
    if (count > mostDays)
      throw new GatewayError('invalid_request', `to must be at most ${mostDays} days after from, both included.`, { field: 'to' });
    return { from, to, days: await usage(store, actingFor(request).accountId, from, to) };
  }
}

const columns: CsvColumns<UsageDay> = {
  day: ({ day }) => day,
  sends: ({ sends }) => sends,
  number_days: ({ numberDays }) => numberDays,
  ...Object.fromEntries(messageTypes.map((type) => [type, ({ byType }: UsageDay) => byType[type] ?? 0])),
};
