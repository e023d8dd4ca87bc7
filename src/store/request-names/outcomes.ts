import { readSegment } from '../log-records.ts';
import type { Store } from '../store.ts';
import { outcomesOf, requestsOfRun, type SendOutcome } from './note.ts';
import { notedTo } from './position.ts';

const segmentsAtOnce = 32;

/** Which outcomes are wanted. */
interface Wanted {
  /** null: those of all accounts. */
  readonly accountId: string | null;
  /** Epoch milliseconds: nothing that was answered before. */
  readonly since: number;
}

/**
 * Has `read` read `send_outcomes` together with what was logged and is not noted there yet, so that nothing is missing of the last minutes and
 * nothing is counted twice. It may be called a second time: when something was noted meanwhile.
 */
export async function withNewestOutcomes<T>(
  { db }: Pick<Store, 'db'>,
  wanted: Wanted,
  read: (notNoted: readonly SendOutcome[]) => Promise<T>,
): Promise<T> {
  const noted = await notedTo(db);
  const result = await read(await outcomesAfter(db, noted, wanted));
  const now = await notedTo(db);
  return now === noted ? result : read(await outcomesAfter(db, now, wanted));
}

/** Of the newest requests only, as many as make a run: there are more only while the notes catch up with a long log. */
async function outcomesAfter(db: Store['db'], noted: number, { accountId, since }: Wanted): Promise<SendOutcome[]> {
  const records = [];
  for (let below = Number.MAX_SAFE_INTEGER; records.length < requestsOfRun; ) {
    let query = db.selectFrom('request_log').select(['id', 'at', 'records']).where('id', '>', noted).where('id', '<', below);
    query = accountId === null ? query.where('account_id', 'is not', null) : query.where('account_id', '=', accountId);
    const segments = await query.orderBy('id', 'desc').limit(segmentsAtOnce).execute();
    for (const segment of segments) {
      below = segment.id;
      if (segment.at >= since) records.push(...readSegment(segment.records).filter(({ at }) => at >= since));
    }
    if (segments.length < segmentsAtOnce || segments.every(({ at }) => at < since)) break;
    // Lets waiting requests through.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return outcomesOf(records);
}
