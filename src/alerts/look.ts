import { newId } from '../core/index.ts';
import type { AlertRow, AlertTargetRow, Store } from '../store/index.ts';
import {
  endAlerts,
  forgetAlerts,
  type Holding,
  handOver,
  insertAlerts,
  insertNotices,
  lastingAlerts,
  lockTargets,
  removeBeginnings,
  selectHolding,
  takeTurn,
} from './queries.ts';
import { concerns } from './scope.ts';
import { selectTargets } from './target-queries.ts';

const keepMs = 90 * 24 * 60 * 60 * 1000;

/**
 * Compares what holds now with the alerts that last, writes which began and which ended, and whom to tell of it. Of what lasts at an account that went
 * to another provider, that one is told as of a beginning. What the store knows is compared,
 * not what happened meanwhile, so that nothing is missed by a process that ended. Of several servers one looks at a time.
 */
export async function lookAtConditions(store: Store, now: number, everyMs: number): Promise<void> {
  if (store.dialect === 'postgres' && !(await takeTurn(store.db, now, everyMs))) return;
  const seen = await changesAt(store.db, now);
  if (seen.began.length === 0 && seen.ended.length === 0 && seen.moved.length === 0) return;
  await store.transaction(async (trx) => {
    await lockTargets(trx, store.dialect);
    const { began, ended, moved } = await changesAt(trx, now);
    const endedIds = ended.map(({ id }) => id);
    const targets = await selectTargets(trx);
    await insertAlerts(trx, began);
    await insertNotices(
      trx,
      began.flatMap((alert) => noticesFor(targets, alert, 'began', now)),
    );
    await handOver(trx, moved);
    await insertNotices(
      trx,
      moved.flatMap((alert) =>
        noticesFor(
          targets.filter(({ provider_id }) => provider_id !== null),
          alert,
          'began',
          now,
        ),
      ),
    );
    await endAlerts(trx, endedIds, now);
    // Nobody needs to know of what was over before it was told.
    const untold = new Set((await removeBeginnings(trx, endedIds)).map(({ target_id, alert_id }) => `${target_id} ${alert_id}`));
    const ends = ended.flatMap((alert) => noticesFor(targets, alert, 'ended', now));
    await insertNotices(
      trx,
      ends.filter(({ target_id, alert_id }) => !untold.has(`${target_id} ${alert_id}`)),
    );
    await forgetAlerts(trx, now - keepMs);
  });
}

interface Changes {
  readonly began: AlertRow[];
  readonly ended: AlertRow[];
  /** Those that last, of accounts that have another provider by now, which is theirs here. */
  readonly moved: AlertRow[];
}

async function changesAt(db: Store['db'], now: number): Promise<Changes> {
  const holding = new Map((await selectHolding(db, now)).map((one) => [nameOf(one), one]));
  const lasting = new Map((await lastingAlerts(db)).map((one) => [nameOf(one), one]));
  return {
    began: [...holding].filter(([name]) => !lasting.has(name)).map(([, one]) => newAlert(one, now)),
    ended: [...lasting].filter(([name]) => !holding.has(name)).map(([, alert]) => alert),
    moved: [...lasting].flatMap(([name, alert]) => {
      const provider_id = holding.get(name)?.provider_id ?? alert.provider_id;
      return provider_id === alert.provider_id ? [] : [{ ...alert, provider_id }];
    }),
  };
}

/** Has a new target told of everything that is wrong now. */
export async function tellOfLasting(trx: Store['db'], target: AlertTargetRow, now: number): Promise<void> {
  const lasting = await lastingAlerts(trx);
  await insertNotices(
    trx,
    lasting.flatMap((alert) => noticesFor([target], alert, 'began', now)),
  );
}

function nameOf({ condition, subject_id }: Pick<AlertRow, 'condition' | 'subject_id'>): string {
  return `${condition} ${subject_id}`;
}

function newAlert(holding: Holding, now: number): AlertRow {
  return { id: newId(), ...holding, began_at: now, ended_at: null };
}

function noticesFor(targets: readonly AlertTargetRow[], alert: AlertRow, phase: 'began' | 'ended', at: number) {
  return targets.filter((target) => concerns(target, alert)).map(({ id }) => ({ target_id: id, alert_id: alert.id, phase, at }));
}
