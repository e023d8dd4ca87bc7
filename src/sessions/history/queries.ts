import { parts } from '../../core/index.ts';
import type { Db, HistoryRow, Lease, Store } from '../../store/index.ts';
import { updateInstance } from '../queries.ts';
import { isState, lastMoment, stateColumns } from './state.ts';

/** How many rows or ids one statement has: a thousand numbers lost at once must not hold up what else waits for the store. */
const atOnce = 100;

/** The interruptions of these numbers that had not ended when they were stored, by instance. */
export async function lastingLosses(db: Db, ids: readonly string[]): Promise<Map<string, HistoryRow>> {
  const found = new Map<string, HistoryRow>();
  for (const part of parts(ids, atOnce)) {
    const rows = await db
      .selectFrom('number_history')
      .selectAll()
      .where('event', '=', 'lost')
      .where('ended_at', 'is', null)
      .where('instance_id', 'in', part)
      .orderBy('at')
      .execute();
    for (const row of rows) found.set(row.instance_id, row);
  }
  return found;
}

/**
 * Adds these rows, or renews those that are there, some at a time; `stored` is called with them when they can be read. Leaves out numbers that
 * another server owns by now, which writes their history itself.
 */
export async function keepHistory(
  store: Store,
  rows: readonly { readonly row: HistoryRow; readonly lease: Lease | null }[],
  stored: (rows: readonly HistoryRow[]) => void,
): Promise<void> {
  for (const part of parts(rows, atOnce)) {
    const kept = await store.transaction(async (trx) => {
      const allowed = await ownRows(trx, part);
      if (allowed.length === 0) return allowed;
      await trx
        .insertInto('number_history')
        .values(allowed)
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((eb) => ({
            last_at: eb.ref('excluded.last_at'),
            ended_at: eb.ref('excluded.ended_at'),
            until: eb.ref('excluded.until'),
            count: eb.ref('excluded.count'),
          })),
        )
        .execute();
      await keepStates(trx, allowed);
      return allowed;
    });
    stored(kept);
  }
}

/** Notes with each number how it is now, which lists are sorted and filtered by. */
async function keepStates(trx: Db, rows: readonly HistoryRow[]): Promise<void> {
  const states = rows.filter(isState).toSorted((one, other) => lastMoment(one) - lastMoment(other));
  for (const [id, row] of new Map(states.map((row) => [row.instance_id, row]))) await updateInstance(trx, id, stateColumns(row));
}

/** Keeps others from taking the numbers until the transaction ends. A deleted number has no lease; its last row may still be written. */
async function ownRows(trx: Db, rows: readonly { readonly row: HistoryRow; readonly lease: Lease | null }[]): Promise<HistoryRow[]> {
  const leased = rows.filter(({ lease }) => lease !== null).map(({ row }) => row.instance_id);
  if (leased.length === 0) return rows.map(({ row }) => row);
  const held = await trx
    .selectFrom('leases')
    .select(['instance_id', 'node_id', 'epoch'])
    .where('instance_id', 'in', leased)
    // Always in the same order, so that two servers never wait for each other.
    .orderBy('instance_id')
    .forShare()
    .execute();
  const owners = new Map(held.map((one) => [one.instance_id, one]));
  return rows.flatMap(({ row, lease }) => {
    const owner = owners.get(row.instance_id);
    const lost = lease !== null && owner !== undefined && (owner.node_id !== lease.nodeId || owner.epoch !== lease.epoch);
    return lost ? [] : [row];
  });
}

/** What happened to the number, newest first, at most so many rows. */
export function historyRows(db: Db, instanceId: string, limit: number): Promise<HistoryRow[]> {
  return db
    .selectFrom('number_history')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The name of the server that owns the number; null when none does, or there is only one server. */
export async function owningServer(store: Store, instanceId: string): Promise<string | null> {
  if (store.leases === null || (await store.leases.nodes()).length < 2) return null;
  const row = await store.db
    .selectFrom('leases')
    .innerJoin('nodes', 'nodes.id', 'leases.node_id')
    .select('nodes.name')
    .where('leases.instance_id', '=', instanceId)
    .executeTakeFirst();
  return row?.name ?? null;
}
