import { OperatorError } from '../../core/index.ts';
import type { AlertDeliveryRow, Store } from '../../store/index.ts';
import { newDelivery } from '../body.ts';
import { lockTarget } from '../targets/queries.ts';
import { findTarget, type Target } from '../targets/targets.ts';
import { insertDelivery, selectDeliveries, selectDelivery, selectNewestDeliveries, sendAgain } from './queries.ts';

/** How many deliveries one page of the log has at most. */
export const deliveriesShown = 100;

/** Sends a test. Throws OperatorError when there is no such target. Gives the id of the delivery. */
export async function testTarget(store: Store, id: string, now: number): Promise<string> {
  const delivery = newDelivery(id, { type: 'test', data: { target_id: id } }, now);
  await store.transaction(async (trx) => {
    refuseUnconfirmed(await findTarget(trx, id));
    await lockTarget(trx, store.dialect, id);
    await insertDelivery(trx, delivery);
  });
  return delivery.id;
}

/** 100 deliveries of a target, newest first; `before`: those older than this one. Throws OperatorError when there is no such target. */
export async function listDeliveries(store: Store, id: string, before?: string): Promise<AlertDeliveryRow[]> {
  await findTarget(store.db, id);
  return selectDeliveries(store.db, id, { before, most: deliveriesShown });
}

export async function lastDeliveries(store: Store, targetIds: readonly string[]): Promise<ReadonlyMap<string, AlertDeliveryRow>> {
  return new Map((await selectNewestDeliveries(store.db, targetIds)).map((row) => [row.target_id, row]));
}

/** A delivery of a target; undefined when it has none with this id. */
export async function findDelivery({ db }: Store, id: string, targetId: string): Promise<AlertDeliveryRow | undefined> {
  const row = await selectDelivery(db, id);
  return row?.target_id === targetId ? row : undefined;
}

/**
 * Sends a delivery once more that arrived or was given up. Throws OperatorError when there is none, of this target where one is named, or it is
 * still tried.
 */
export async function resendDelivery(store: Store, id: string, now: number, targetId?: string): Promise<void> {
  const row = await selectDelivery(store.db, id);
  if (row === undefined || (targetId !== undefined && row.target_id !== targetId)) throw new OperatorError(`there is no delivery ${id}`);
  refuseUnconfirmed(await findTarget(store.db, row.target_id));
  if (!(await sendAgain(store.db, id, now))) throw new OperatorError('it is still being tried');
}

function refuseUnconfirmed({ confirm_by }: Target): void {
  if (confirm_by !== null) throw new OperatorError('its address has not confirmed yet that it wants alerts');
}
