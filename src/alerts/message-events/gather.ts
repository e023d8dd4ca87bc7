import type { Log } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { messagesBody } from '../body.ts';
import { insertDelivery } from '../deliveries/queries.ts';
import { newDelivery } from '../gather.ts';
import { lockTarget } from '../queries.ts';
import { inScope } from '../scope.ts';
import { selectTarget } from '../target-queries.ts';
import { dropOldest, followingTargets, isBeingSent, markTold, selectUntold, targetsToGather } from './queries.ts';

/** So many events one delivery tells at most. */
const mostTold = 1000;
/** So many wait for a webhook at most. */
export const mostWaiting = 100_000;
/** What could not be sent for so long is told no more. */
const tellMs = 24 * 60 * 60 * 1000;

interface GatherOptions {
  readonly store: Store;
  readonly now: number;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Makes a delivery of what each webhook is to be told, unless something is being sent to it: what comes meanwhile then goes together. Whether any was
 * made.
 */
export async function gatherMessages(options: GatherOptions): Promise<boolean> {
  let made = false;
  for (const id of await targetsToGather(options.store.db)) made = (await makeDelivery(options, id)) || made;
  return made;
}

/** Gives up the oldest events of webhooks for which too much waits. */
export async function dropOverflow({ store, log }: GatherOptions, most = mostWaiting): Promise<void> {
  for (const target of await followingTargets(store.db)) {
    const dropped = await store.transaction((trx) => dropOldest(trx, target, most));
    if (dropped > 0) log.warn({ target, dropped }, 'too many message events waited for a webhook; the oldest are dropped');
  }
}

/** Whether the webhook had something to be told. */
async function makeDelivery({ store, now, log }: GatherOptions, target: string): Promise<boolean> {
  const { taken, dropped } = await store.transaction(async (trx) => {
    await lockTarget(trx, store.dialect, target);
    // Another server may have been here.
    const rows = (await isBeingSent(trx, target)) ? [] : await selectUntold(trx, target, mostTold);
    const young = rows.filter(({ noted_at }) => noted_at > now - tellMs);
    await markTold(
      trx,
      rows.map(({ id }) => id),
    );
    const row = young.length === 0 ? undefined : await selectTarget(trx, target);
    const body = row === undefined ? null : await inScope(trx, row, messagesBody(young, now));
    if (body !== null) await insertDelivery(trx, newDelivery(target, body, now));
    return { taken: rows.length, dropped: rows.length - young.length };
  });
  if (dropped > 0) log.warn({ target, dropped }, 'message events could not be sent for a day and are dropped');
  return taken > 0;
}
