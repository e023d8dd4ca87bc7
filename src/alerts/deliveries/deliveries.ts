import { OperatorError } from '../../core/index.ts';
import type { AlertDeliveryRow, AlertTargetRow, Store } from '../../store/index.ts';
import { type AlertBody, newDelivery } from '../body.ts';
import { inScope } from '../scope.ts';
import { lockTarget, selectTarget } from '../targets/queries.ts';
import { findTarget } from '../targets/targets.ts';
import { insertDelivery, selectDeliveries, selectDelivery, selectNewestDeliveries, sendAgain } from './queries.ts';

/** How many deliveries one page of the log has at most. */
export const deliveriesShown = 100;

/** Sends a test. Throws OperatorError when there is no such target. Gives the id of the delivery. */
export async function testTarget(store: Store, id: string, now: number): Promise<string> {
  const delivery = newDelivery(id, { type: 'test', data: { target_id: id } }, now);
  await store.transaction(async (trx) => {
    refuseUnconfirmed(await findTarget(trx, id));
    await lockTarget(trx, id);
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
 * Sends a delivery once more that arrived or was given up, after those that wait. Throws OperatorError when there is none, it is still tried, or
 * nothing of it concerns its target any more.
 */
export async function resendDelivery(store: Store, id: string, now: number): Promise<void> {
  await store.transaction(async (trx) => {
    const row = await selectDelivery(trx, id);
    const target = row === undefined ? undefined : await selectTarget(trx, row.target_id);
    if (row === undefined || target === undefined) throw new OperatorError(`there is no delivery ${id}`);
    refuseUnconfirmed(target);
    // It would be removed in place of being sent.
    if ((await inScope(trx, target, JSON.parse(row.body) as AlertBody)) === null)
      throw new OperatorError('nothing of it concerns its target any more');
    await lockTarget(trx, target.id);
    if (!(await sendAgain(trx, row, now))) throw new OperatorError('it is still being tried');
  });
}

function refuseUnconfirmed({ confirm_by }: Pick<AlertTargetRow, 'confirm_by'>): void {
  if (confirm_by !== null) throw new OperatorError('its address has not confirmed yet that it wants alerts');
}
