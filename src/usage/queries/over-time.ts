import { sql } from 'kysely';
import { failureCodes } from '../../core/index.ts';
import type { Db } from '../../store/index.ts';
import type { Days } from '../months.ts';

/** How many sends ended how. */
export interface Ends {
  readonly accepted: number;
  /** The gateway or the network failed (`isFailure`). */
  readonly failed: number;
  /** The request was at fault. */
  readonly refused: number;
}

/** One account, or those of these providers; null: of all. */
export type SendsScope = { readonly accountId: string } | { readonly providerIds: readonly string[] | null };

/** How the sends of these hours ended; hours without any are absent. */
export async function selectEnds(db: Db, of: SendsScope, hours: readonly number[]): Promise<(Ends & { readonly hour: number })[]> {
  const within =
    'accountId' in of
      ? sql`and account_id = ${of.accountId}`
      : of.providerIds === null
        ? sql``
        : sql`and account_id in (select id from accounts where provider_id in (${sql.join(of.providerIds)}))`;
  const { rows } = await sql<Record<'hour' | 'sends' | 'accepted' | 'failed', number>>`
    select hour, sum(count) as sends, sum(case when code = '' then count else 0 end) as accepted,
      sum(case when code in (${sql.join(failureCodes)}) then count else 0 end) as failed
    from send_outcomes where hour in (${sql.join(hours)}) ${within} group by hour`.execute(db);
  return rows.map(({ hour, sends, accepted, failed }) => ({ hour, accepted, failed, refused: sends - accepted - failed }));
}

/** The number-days of each of these accounts on each of these days; days without any are absent. */
export function selectNumberDays(
  db: Db,
  accountIds: readonly string[],
  { from, to }: Days,
): Promise<{ readonly day: string; readonly n: number }[]> {
  return (
    db
      .selectFrom('usage_number_days')
      .select((eb) => ['day', eb.fn.countAll<number>().as('n')])
      .where('account_id', 'in', accountIds)
      .where('day', '>=', from)
      .where('day', '<=', to)
      // In the order of the primary key, so that nothing is sorted.
      .groupBy(['account_id', 'day'])
      .execute()
  );
}
