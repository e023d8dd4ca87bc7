import { type RawBuilder, sql } from 'kysely';
import { dayMs, failureCodes, utcDay } from '../../core/index.ts';
import type { Db } from '../../store/index.ts';

/** What an account usually sends is the mean of so many UTC days, up to the day before yesterday. */
export const usualDays = 7;

/** How many sends of an account ended how. */
export interface SendsOfAccount {
  readonly account_id: string;
  readonly sends: number;
  readonly accepted: number;
  /** The gateway or the network failed (`isFailure`). */
  readonly failed: number;
}

/** The sends of an hour by account. An hour lies together in the table. */
export function selectSendsOfHour(db: Db, hour: number): Promise<SendsOfAccount[]> {
  return selectSends(db, sql`hour = ${hour}`);
}

/** The sends of these accounts in these hours: each account and hour is one step into the primary key. */
export async function selectSendsOfAccounts(db: Db, accountIds: readonly string[], hours: readonly number[]): Promise<SendsOfAccount[]> {
  if (accountIds.length === 0) return [];
  return selectSends(db, sql`hour in (${sql.join(hours)}) and account_id in (${sql.join(accountIds)})`);
}

async function selectSends(db: Db, within: RawBuilder<unknown>): Promise<SendsOfAccount[]> {
  const { rows } = await sql<SendsOfAccount>`
    select account_id, sum(count) as sends, sum(case when code = '' then count else 0 end) as accepted,
      sum(case when code in (${sql.join(failureCodes)}) then count else 0 end) as failed
    from send_outcomes where ${within} group by account_id`.execute(db);
  return rows;
}

/** What these accounts sent in the days that their use is measured by; those that sent nothing are absent. */
export async function selectUsualSends(db: Db, accountIds: readonly string[], now: number): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('usage_sends')
    .select((eb) => ['account_id', eb.fn.sum<number>('count').as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', utcDay(now - (1 + usualDays) * dayMs))
    .where('day', '<', utcDay(now - dayMs))
    .groupBy('account_id')
    .execute();
  return new Map(rows.map(({ account_id, n }) => [account_id, n]));
}
