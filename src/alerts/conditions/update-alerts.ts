import { newId } from '../../core/index.ts';
import type { AlertRow, AlertTargetRow, Store } from '../../store/index.ts';
import {
  endAlerts,
  forgetAlerts,
  insertAlerts,
  insertNotices,
  lastingAlerts,
  removeBeginnings,
  storeChanges,
  takeTurn,
} from '../queries.ts';
import { concerns } from '../scope.ts';
import { lockTargets, selectTargets } from '../targets/queries.ts';
import { selectCurrentConditions } from './queries.ts';

const keepMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Compares the conditions that are true now with the alerts that last, and stores which began, which ended, what is different of those that last, and whom to notify. An account's new
 * provider is notified of what lasts as of a beginning. The comparison is with the store and not with what happened meanwhile, so that nothing is
 * missed when a process ends. Of several servers one does it at a time.
 */
export async function updateAlerts(store: Store, now: number, everyMs: number): Promise<void> {
  if (store.dialect === 'postgres' && !(await takeTurn(store.db, now, everyMs))) return;
  const seen = await changesAt(store.db, now);
  if (seen.began.length === 0 && seen.ended.length === 0 && seen.changed.length === 0) return;
  await store.transaction(async (trx) => {
    await lockTargets(trx);
    const { began, ended, changed, moved } = await changesAt(trx, now);
    const endedIds = ended.map(({ id }) => id);
    const targets = await selectTargets(trx);
    const ofProviders = targets.filter(({ provider_id }) => provider_id !== null);
    await insertAlerts(trx, began);
    await storeChanges(trx, changed);
    await endAlerts(trx, endedIds, now);
    // What ended before its beginning was sent concerns nobody any more.
    const unsent = new Map((await removeBeginnings(trx, endedIds)).map(({ target_id, alert_id, at }) => [`${target_id} ${alert_id}`, at]));
    await insertNotices(trx, [
      ...began.flatMap((alert) => noticesFor(targets, alert, 'began', now)),
      ...moved.flatMap((alert) => noticesFor(ofProviders, alert, 'began', now)),
      ...ended.flatMap((alert) => {
        const told = targets.filter((target) => !isFirst(unsent.get(`${target.id} ${alert.id}`), target, alert));
        return noticesFor(told, alert, 'ended', now);
      }),
    ]);
    await forgetAlerts(trx, now - keepMs);
  });
}

/** Has a target notified of everything that is wrong now. */
export async function notifyOfLasting(trx: Store['db'], target: AlertTargetRow, now: number): Promise<void> {
  const lasting = await lastingAlerts(trx);
  await insertNotices(
    trx,
    lasting.flatMap((alert) => noticesFor([target], alert, 'began', now)),
  );
}

/** Whether a beginning with this time is the first that the target would have got of the alert; a later one may repeat what it knows. */
function isFirst(at: number | undefined, { created_at }: AlertTargetRow, { began_at }: AlertRow): boolean {
  return at !== undefined && (at === began_at || at <= created_at);
}

interface Changes {
  readonly began: AlertRow[];
  readonly ended: AlertRow[];
  /** Those that last and differ from what is stored of them, as they are by now. */
  readonly changed: AlertRow[];
  /** Those of them whose account has another provider by now. */
  readonly moved: AlertRow[];
}

async function changesAt(db: Store['db'], now: number): Promise<Changes> {
  const current = new Map((await selectCurrentConditions(db, now)).map((one) => [nameOf(one), one]));
  const lasting = new Map((await lastingAlerts(db)).map((one) => [nameOf(one), one]));
  const changes: Changes = { began: [], ended: [], changed: [], moved: [] };
  for (const [name, one] of current) if (!lasting.has(name)) changes.began.push({ id: newId(), ...one, began_at: now, ended_at: null });
  for (const [name, alert] of lasting) {
    const one = current.get(name);
    if (one === undefined) {
      changes.ended.push(alert);
      continue;
    }
    const { provider_id, reason, until } = one;
    const after = { ...alert, provider_id, reason, until };
    if (provider_id !== alert.provider_id) changes.moved.push(after);
    if (provider_id !== alert.provider_id || reason !== alert.reason || until !== alert.until) changes.changed.push(after);
  }
  return changes;
}

function nameOf({ condition, subject_id }: Pick<AlertRow, 'condition' | 'subject_id'>): string {
  return `${condition} ${subject_id}`;
}

function noticesFor(targets: readonly AlertTargetRow[], alert: AlertRow, phase: 'began' | 'ended', at: number) {
  return targets.filter((target) => concerns(target, alert)).map(({ id }) => ({ target_id: id, alert_id: alert.id, phase, at }));
}
