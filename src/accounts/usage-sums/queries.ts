import { sql } from 'kysely';
import type { Db } from '../queries.ts';
import type { Days } from './parts.ts';

/** A month of an account whose days have been added up. */
export interface UsageSum {
  readonly account_id: string;
  readonly month: string;
  /** The last day that is in it. */
  readonly through: string;
  readonly number_days: number;
  /** Accepted sends by message type. */
  readonly byType: Readonly<Record<string, number>>;
}

/** Accepted sends of these accounts in these days, by type. */
export async function sendsIn(
  db: Db,
  accountIds: readonly string[],
  { from, to }: Days,
): Promise<{ readonly account_id: string; readonly type: string; readonly n: number }[]> {
  const rows = await db
    .selectFrom('usage_sends')
    .select((eb) => ['account_id', 'type', eb.fn.sum('count').as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy(['account_id', 'type'])
    .execute();
  // A sum is text on PostgreSQL.
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** Number-days of these accounts in these days; those without any are absent. */
export async function numberDaysIn(
  db: Db,
  accountIds: readonly string[],
  { from, to }: Days,
): Promise<{ readonly account_id: string; readonly n: number }[]> {
  const rows = await db
    .selectFrom('usage_number_days')
    .select((eb) => ['account_id', eb.fn.countAll().as('n')])
    .where('account_id', 'in', accountIds)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .groupBy('account_id')
    .execute();
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}

/** The sums of these accounts of the months from the one to the other. */
export async function selectSums(
  db: Db,
  accountIds: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<UsageSum[]> {
  const rows = await db
    .selectFrom('usage_sums')
    .selectAll()
    .where('account_id', 'in', accountIds)
    .where('month', '>=', from)
    .where('month', '<=', to)
    .execute();
  // As `writeSums` writes it.
  return rows.map(({ sends, ...row }) => ({ ...row, byType: JSON.parse(sends) as Record<string, number> }));
}

/** Writes sums in place of those that are there. */
export async function writeSums(trx: Db, sums: readonly UsageSum[]): Promise<void> {
  await trx
    .insertInto('usage_sums')
    .values(sums.map(({ byType, ...row }) => ({ ...row, sends: JSON.stringify(byType) })))
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'month']).doUpdateSet((eb) => ({
        through: eb.ref('excluded.through'),
        number_days: eb.ref('excluded.number_days'),
        sends: eb.ref('excluded.sends'),
      })),
    )
    .execute();
}

/** Of which months these accounts have sums. */
export function selectSummedMonths(db: Db, accountIds: readonly string[]): Promise<{ account_id: string; month: string }[]> {
  return db.selectFrom('usage_sums').select(['account_id', 'month']).where('account_id', 'in', accountIds).execute();
}

/** The first day on which each of these accounts used anything; those that never did are absent. */
export async function selectFirstDays(db: Db, accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const first = (table: string) =>
    sql<string | null>`(select min(day) from ${sql.table(table)} as used where used.account_id = accounts.id)`;
  const rows = await db
    .selectFrom('accounts')
    .select(['id', first('usage_sends').as('sent'), first('usage_number_days').as('seen')])
    .where('id', 'in', accountIds)
    .execute();
  return new Map(
    rows.flatMap(({ id, sent, seen }): [string, string][] => {
      const days = [sent, seen].filter((day) => day !== null).sort();
      return days[0] === undefined ? [] : [[id, days[0]]];
    }),
  );
}

export async function selectAccountIds(db: Db): Promise<string[]> {
  return (await db.selectFrom('accounts').select('id').orderBy('id').execute()).map(({ id }) => id);
}

const summedToName = 'usage_summed_to';

/** The last day up to which sums are made, or are being made, by any server; null: none are. */
export async function readSummedTo(db: Db): Promise<string | null> {
  return (await db.selectFrom('meta').select('value').where('name', '=', summedToName).executeTakeFirst())?.value ?? null;
}

/** Says that sums are being made up to this day. False when they are up to it already. */
export async function moveSummedTo(db: Db, day: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('meta')
    .values({ name: summedToName, value: day })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ value: eb.ref('excluded.value') }))
        .whereRef('meta.value', '<', 'excluded.value'),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
