import { newId } from '../core/index.ts';
import type { Translate } from '../language/index.ts';
import type { AlertTargetRow, Store } from '../store/index.ts';
import { type AlertBody, bodyOf } from './body.ts';
import { insertDelivery } from './deliveries/queries.ts';
import { lockTarget, noticesOf, removeNotices, targetsToTell } from './queries.ts';
import { isQuiet } from './quiet-hours.ts';
import { inScope } from './scope.ts';
import { selectTarget } from './target-queries.ts';

/** What begins or ends within this time is told together. */
const gatherMs = 15_000;
/** So many alerts one delivery tells at most. */
const mostTold = 1000;

/** Makes deliveries, whose texts `t` says, of what is to be told, except to targets whose quiet hours it is: theirs waits for their end. */
export async function gatherNotices(store: Store, now: number, t: Translate): Promise<void> {
  for (const target of await targetsToTell(store.db)) {
    // A time that is to come was written before the clock was set back.
    const recent = target.since > now - gatherMs && target.since <= now;
    if (recent || isQuietFor(target, now)) continue;
    while (await makeDelivery(store, target.id, now, t));
  }
}

/** A delivery that is tried at once. */
export function newDelivery(targetId: string, body: AlertBody, now: number) {
  return {
    id: newId(),
    target_id: targetId,
    body: JSON.stringify(body),
    at: now,
    attempts: 0,
    next_at: now,
    state: 'waiting' as const,
    outcome: null,
    ended_at: null,
  };
}

/** Makes one delivery; whether more is left. */
function makeDelivery(store: Store, targetId: string, now: number, t: Translate): Promise<boolean> {
  return store.transaction(async (trx) => {
    await lockTarget(trx, store.dialect, targetId);
    const notices = await noticesOf(trx, targetId, mostTold);
    if (notices.length === 0) return false;
    await removeNotices(trx, targetId, notices);
    const target = await selectTarget(trx, targetId);
    const body = target === undefined ? null : await inScope(trx, target, bodyOf(notices, now, t));
    if (body !== null) await insertDelivery(trx, newDelivery(targetId, body, now));
    return notices.length === mostTold;
  });
}

function isQuietFor({ quiet_from, quiet_to, time_zone }: AlertTargetRow, now: number): boolean {
  return quiet_from !== null && quiet_to !== null && isQuiet({ from: quiet_from, to: quiet_to, timeZone: time_zone ?? 'UTC' }, now);
}
