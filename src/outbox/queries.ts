import { parts } from '../core/index.ts';
import type { Db, PendingWriteRow } from '../store/index.ts';

/** A pending write as it is stored. */
export type PendingWrite = PendingWriteRow;

/** How many rows one statement inserts: each takes six of the parameters that a statement may have. */
const rowsPerInsert = 500;

/** Stores pending writes; one that is there already stays as it is. */
export async function insertPendingWrites(trx: Db, writes: readonly PendingWrite[]): Promise<void> {
  for (const some of parts(writes, rowsPerInsert)) {
    await trx
      .insertInto('pending_writes')
      .values(some)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

/**
 * Writes to be tried at `now` (epoch milliseconds), those that have waited longest first. One that would wait longer than `longestWaitMs` was
 * stored before the clock was set back, and is due.
 */
export function dueWrites(db: Db, now: number, longestWaitMs: number, limit: number): Promise<PendingWrite[]> {
  return db
    .selectFrom('pending_writes')
    .selectAll()
    .where((eb) => eb.or([eb('next_at', '<=', now), eb('next_at', '>', now + longestWaitMs)]))
    .orderBy('next_at')
    .limit(limit)
    .execute();
}

/** How many writes are pending, and since when the oldest is (epoch milliseconds; null: there is none). */
export interface PendingWrites {
  readonly count: number;
  readonly oldestAt: number | null;
}

/** Those in the store. */
export async function sumOfPendingWrites(db: Db): Promise<PendingWrites> {
  const row = await db
    .selectFrom('pending_writes')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldest')])
    .executeTakeFirst();
  return { count: row?.count ?? 0, oldestAt: row?.oldest ?? null };
}

/** Removes a pending write; false when it is gone already. */
export async function removePendingWrite(trx: Db, id: string): Promise<boolean> {
  return (await trx.deleteFrom('pending_writes').where('id', '=', id).executeTakeFirst()).numDeletedRows > 0n;
}

/** Counts a failed try, and stores when the next one is. */
export async function postponeWrite(db: Db, id: string, nextAt: number): Promise<void> {
  await db
    .updateTable('pending_writes')
    .set((eb) => ({ attempts: eb('attempts', '+', 1), next_at: nextAt }))
    .where('id', '=', id)
    .execute();
}
