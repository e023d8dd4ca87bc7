import type { Log } from '../core/index.ts';
import type { Translate } from '../language/index.ts';
import type { AlertTargetRow, Db, Store } from '../store/index.ts';
import { type AlertContent, alertsOf, messagesOf, newDelivery } from './body.ts';
import { insertDelivery, isBeingSent } from './deliveries/queries.ts';
import { dropOldest, markSent, selectFollowers, selectPendingEvents, targetsToGather } from './message-events/queries.ts';
import { noticesOf, removeNotices, targetsToNotify } from './queries.ts';
import { inScope } from './scope.ts';
import { lockTarget, selectTarget } from './targets/queries.ts';
import { isQuiet } from './targets/quiet-hours.ts';

/** What begins or ends within this time is sent together. */
const gatherMs = 15_000;
/** So many alerts or events are in one delivery at most. */
const mostPerDelivery = 1000;
/** So many events wait for a webhook at most. */
const mostWaiting = 100_000;
/** An event that could not be sent for so long is dropped. */
const keepEventsMs = 24 * 60 * 60 * 1000;

/** Makes deliveries of the notices, except for targets in their quiet hours: theirs wait for the end of these. */
export async function gatherNotices(store: Store, now: number, english: Translate): Promise<void> {
  for (const target of await targetsToNotify(store.db)) {
    // A time that lies ahead was written before the clock was set back.
    const recent = target.since > now - gatherMs && target.since <= now;
    if (recent || isQuietFor(target, now)) continue;
    while (await gatherSome(store, target.id, now, english));
  }
}

/** Makes one delivery; whether notices may be left. */
function gatherSome(store: Store, targetId: string, now: number, english: Translate): Promise<boolean> {
  return store.transaction(async (trx) => {
    await lockTarget(trx, targetId);
    const notices = await noticesOf(trx, targetId, mostPerDelivery);
    if (notices.length === 0) return false;
    await removeNotices(trx, targetId, notices);
    await deliverInScope(trx, targetId, alertsOf(notices, english), now);
    return notices.length === mostPerDelivery;
  });
}

interface GatherOptions {
  readonly store: Store;
  readonly now: number;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Makes a delivery of each webhook's message events, unless something is being sent to it: what comes meanwhile then goes together. Whether any was
 * made.
 */
export async function gatherMessages(options: GatherOptions): Promise<boolean> {
  let made = false;
  for (const id of await targetsToGather(options.store.db)) made = (await gatherEvents(options, id)) || made;
  return made;
}

/** Drops the oldest events of webhooks for which too many wait. */
export async function dropOverflow({ store, log }: GatherOptions, most = mostWaiting): Promise<void> {
  for (const { id: target } of await selectFollowers(store.db)) {
    const dropped = await store.transaction((trx) => dropOldest(trx, target, most));
    if (dropped > 0) log.warn({ target, dropped }, 'too many message events waited for a webhook; the oldest are dropped');
  }
}

/** Whether events waited for the webhook. */
async function gatherEvents({ store, now, log }: GatherOptions, target: string): Promise<boolean> {
  const { taken, dropped } = await store.transaction(async (trx) => {
    await lockTarget(trx, target);
    // Another server may have been here.
    const rows = (await isBeingSent(trx, target)) ? [] : await selectPendingEvents(trx, target, mostPerDelivery);
    const young = rows.filter(({ noted_at }) => noted_at > now - keepEventsMs);
    await markSent(
      trx,
      rows.map(({ id }) => id),
    );
    if (young.length > 0) await deliverInScope(trx, target, messagesOf(young), now);
    return { taken: rows.length, dropped: rows.length - young.length };
  });
  if (dropped > 0) log.warn({ target, dropped }, 'message events could not be sent for a day and are dropped');
  return taken > 0;
}

/** Makes a delivery of what is in the target's scope at this moment, if anything is. */
async function deliverInScope(trx: Db, targetId: string, content: AlertContent, now: number): Promise<void> {
  const target = await selectTarget(trx, targetId);
  const left = target === undefined ? null : await inScope(trx, target, content);
  if (left !== null) await insertDelivery(trx, newDelivery(targetId, left, now));
}

function isQuietFor({ quiet_from, quiet_to, time_zone }: AlertTargetRow, now: number): boolean {
  return quiet_from !== null && quiet_to !== null && isQuiet({ from: quiet_from, to: quiet_to, timeZone: time_zone ?? 'UTC' }, now);
}
