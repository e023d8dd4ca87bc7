import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/store/index.ts';

/** Usage by month as it is stored. */
export async function noted(db: Kysely<Database>) {
  return {
    sends: await db.selectFrom('usage_sends_by_month').selectAll().orderBy('account_id').orderBy('month').orderBy('type').execute(),
    numberDays: await db.selectFrom('usage_number_days_by_month').selectAll().orderBy('account_id').orderBy('month').execute(),
  };
}

/** Usage by month as its days add up to. */
export async function monthsOfDays(db: Kysely<Database>): ReturnType<typeof noted> {
  const month = sql<string>`substr(day, 1, 7)`;
  const sends = await db
    .selectFrom('usage_sends')
    .select(({ fn }) => ['account_id', month.as('month'), 'type', fn.sum('count').as('n')])
    .groupBy(['account_id', month, 'type'])
    .orderBy('account_id')
    .orderBy(month)
    .orderBy('type')
    .execute();
  const numberDays = await db
    .selectFrom('usage_number_days')
    .select(({ fn }) => ['account_id', month.as('month'), fn.countAll().as('n')])
    .groupBy(['account_id', month])
    .orderBy('account_id')
    .orderBy(month)
    .execute();
  return {
    sends: sends.map(({ n, ...row }) => ({ ...row, count: Number(n) })),
    numberDays: numberDays.map(({ n, ...row }) => ({ ...row, count: Number(n) })),
  };
}
