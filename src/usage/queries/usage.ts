import type { Db } from '../../store/index.ts';
import type { Days } from '../months.ts';

interface SendsOfType {
  readonly account_id: string;
  readonly type: string;
  readonly n: number;
}

export const selectSends = async (db: Db, accountId: string, from: string, to: string) =>
  db
    .selectFrom('usage_sends')
    .select(['day', 'type', 'count'])
    .where('account_id', '=', accountId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('type')
    .execute();

/** Whether a send of the account was ever accepted, and a number of it ever seen connected. */
export async function selectEverUsed(db: Db, accountId: string): Promise<{ sent: boolean; connected: boolean }> {
  const send = await db.selectFrom('usage_sends').select('day').where('account_id', '=', accountId).limit(1).executeTakeFirst();
  const number = await db.selectFrom('usage_number_days').select('day').where('account_id', '=', accountId).limit(1).executeTakeFirst();
  return { sent: send !== undefined, connected: number !== undefined };
}

/** Accepted sends of these accounts in these days, by type. */
export function sendsIn(db: Db, accountIds: readonly string[], { from, to }: Days): Promise<SendsOfType[]> {
  return db
    .selectFrom('usage_sends')
    .select((eb) => ['account_id', 'type', eb.fn.sum<number>('count').as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['account_id', 'type'])
    .execute();
}

/** Number-days of these accounts in these days; those without any are absent. */
export function numberDaysIn(db: Db, accountIds: readonly string[], { from, to }: Days): Promise<{ account_id: string; n: number }[]> {
  return db
    .selectFrom('usage_number_days')
    .select((eb) => ['account_id', eb.fn.countAll<number>().as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('account_id')
    .execute();
}

/** Accepted sends of these accounts in whole months, by type. */
export function sendsByMonth(
  db: Db,
  accountIds: readonly string[],
  months: readonly string[],
): Promise<(SendsOfType & { month: string })[]> {
  return db
    .selectFrom('usage_sends_by_month')
    .select(['account_id', 'month', 'type', 'count as n'])
    .where('account_id', 'in', accountIds)
    .where('month', 'in', months)
    .execute();
}

/** Number-days of these accounts in whole months; those without any are absent. */
export function numberDaysByMonth(
  db: Db,
  accountIds: readonly string[],
  months: readonly string[],
): Promise<{ account_id: string; month: string; n: number }[]> {
  return db
    .selectFrom('usage_number_days_by_month')
    .select(['account_id', 'month', 'count as n'])
    .where('account_id', 'in', accountIds)
    .where('month', 'in', months)
    .execute();
}
