import { newId } from '../../core/index.ts';
import type { AlertRow, AlertTargetRow, Store } from '../../store/index.ts';
import {
  changeProviders,
  endAlerts,
  forgetAlerts,
  insertAlerts,
  insertNotices,
  lastingAlerts,
  removeBeginnings,
  takeTurn,
} from '../queries.ts';
import { concerns } from '../scope.ts';
import { lockTargets, selectTargets } from '../targets/queries.ts';
import { selectCurrentConditions } from './queries.ts';

const keepMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Compares the conditions that are true now with the alerts that last, and stores which began, which ended, and whom to notify. An account's new
 * provider is notified of what lasts as of a beginning. The comparison is with the store and not with what happened meanwhile, so that nothing is
 * missed when a process ends. Of several servers one does it at a time.
 */
export async function updateAlerts(store: Store, now: number, everyMs: number): Promise<void> {
  if (store.dialect === 'postgres' && !(await takeTurn(store.db, now, everyMs))) return;
  const seen = await changesAt(store.db, now);
  if (seen.began.length === 0 && seen.ended.length === 0 && seen.moved.length === 0) return;
  await store.transaction(async (trx) => {
    await lockTargets(trx);
    const { began, ended, moved } = await changesAt(trx, now);
    const endedIds = ended.map(({ id }) => id);
    const targets = await selectTargets(trx);
    const ofProviders = targets.filter(({ provider_id }) => provider_id !== null);
    await insertAlerts(trx, began);
    await changeProviders(trx, moved);
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
  /** Those that last, of accounts that have another provider by now: with the new one. */
  readonly moved: AlertRow[];
}

async function changesAt(db: Store['db'], now: number): Promise<Changes> {
  const current = new Map((await selectCurrentConditions(db, now)).map((one) => [nameOf(one), one]));
  const lasting = new Map((await lastingAlerts(db)).map((one) => [nameOf(one), one]));
  return {
    began: [...current].filter(([name]) => !lasting.has(name)).map(([, one]) => ({ id: newId(), ...one, began_at: now, ended_at: null })),
    ended: [...lasting].filter(([name]) => !current.has(name)).map(([, alert]) => alert),
    moved: [...lasting].flatMap(([name, alert]) => {
      const provider_id = current.get(name)?.provider_id ?? alert.provider_id;
      return provider_id === alert.provider_id ? [] : [{ ...alert, provider_id }];
    }),
  };
}

function nameOf({ condition, subject_id }: Pick<AlertRow, 'condition' | 'subject_id'>): string {
  return `${condition} ${subject_id}`;
}

function noticesFor(targets: readonly AlertTargetRow[], alert: AlertRow, phase: 'began' | 'ended', at: number) {
  return targets.filter((target) => concerns(target, alert)).map(({ id }) => ({ target_id: id, alert_id: alert.id, phase, at }));
}
