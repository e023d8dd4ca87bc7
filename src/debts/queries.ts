import type { Kysely } from 'kysely';
import type { Database, DebtRow } from '../store/index.ts';

/** How many rows one statement inserts: each takes six of the parameters that a statement may have. */
const rowsPerInsert = 500;

/** Writes debts down; one that is there already stays as it is. */
export async function insertDebts(trx: Kysely<Database>, debts: readonly DebtRow[]): Promise<void> {
  for (let i = 0; i < debts.length; i += rowsPerInsert) {
    await trx
      .insertInto('debts')
      .values(debts.slice(i, i + rowsPerInsert))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Debts to be paid at `now` (epoch milliseconds), those that have waited longest first. One that would wait longer than `longestWaitMs` was
 * written before the clock was set back, and is due.
 */
export function dueDebts(db: Kysely<Database>, now: number, longestWaitMs: number, limit: number): Promise<DebtRow[]> {
  return db
    .selectFrom('debts')
    .selectAll()
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + longestWaitMs)]))
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/** Whether anything is owed. */
export async function anyDebt(db: Kysely<Database>): Promise<boolean> {
  return (await db.selectFrom('debts').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** How many debts are written down, and since when the oldest is (epoch milliseconds; null: there is none). */
export async function sumOfDebts(db: Kysely<Database>): Promise<{ readonly count: number; readonly oldestAt: number | null }> {
  const row = await db
    .selectFrom('debts')
    .select((eb) => [eb.fn.countAll().as('count'), eb.fn.min('created_at').as('oldest')])
    .executeTakeFirst();
  return { count: Number(row?.count ?? 0), oldestAt: row?.oldest == null ? null : Number(row.oldest) };
}

/** Removes a debt; false when it is gone already. */
export async function removeDebt(trx: Kysely<Database>, id: string): Promise<boolean> {
  return (await trx.deleteFrom('debts').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n;
}

/** Notes that a debt could not be paid, and when to try again. */
export async function postponeDebt(db: Kysely<Database>, id: string, nextAt: number): Promise<void> {
  await db
    .updateTable('debts')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_at: nextAt }))
    .where('id', '=', id)
    .execute();
}
