import { type Expression, type SqlBool, sql } from 'kysely';
import type { Dialect, Store } from '../store.ts';
import { bucketOf, firstSegmentOf, hashOf, rowId, segmentsIn } from './entries.ts';
import { keyOf, type RequestName } from './names.ts';
import { notedTo } from './position.ts';

/** How many runs are looked through at once. */
const runsAtOnce = 512;
/** How many of the newest segments are looked through that are not noted yet: there are more only while the notes catch up with a long log. */
const mostNotNoted = 20_000;

/** Where to look. */
interface Place {
  /** Only its segments, as far as that is known without reading them; null: of everybody. */
  readonly accountId: string | null;
  /** No segment with a greater id; null: from the newest on. */
  readonly newest: number | null;
  readonly limit: number;
}

/**
 * The ids of the newest segments of the request log that may hold a send with this name, newest first; fewer than `limit` only when there are no
 * more. What was logged in the last moments is found by its text, everything else by what is noted.
 */
export async function segmentsNamed(
  store: Pick<Store, 'db' | 'dialect'>,
  name: RequestName,
  { accountId, newest, limit }: Place,
): Promise<number[]> {
  const { db } = store;
  const noted = await notedTo(db);
  const hash = hashOf(keyOf(name));
  const bucket = bucketOf(hash);
  const found: number[] = [];
  const fits = (segment: number) => newest === null || segment <= newest;

  if (newest === null || newest > noted) {
    const last = await lastSegment(store);
    found.push(
      ...(await segmentsBetween(store, name, { accountId, from: Math.max(noted + 1, last - mostNotNoted), to: newest ?? last, limit })),
    );
  }
  for (let below = Math.min(noted, newest ?? noted); found.length < limit; ) {
    const runs = await db
      .selectFrom('request_names')
      .select(['id', 'last_segment', 'entries'])
      .where('id', '>=', rowId(bucket, 0))
      .where('id', '<=', rowId(bucket, below))
      .orderBy('id', 'desc')
      .limit(runsAtOnce)
      .execute();
    for (const { id, last_segment, entries } of runs) {
      const first = firstSegmentOf(id);
      const segments = segmentsIn(entries, hash, first);
      const ofRun =
        segments === 'all'
          ? await segmentsBetween(store, name, {
              accountId,
              from: first,
              to: Math.min(last_segment, newest ?? last_segment),
              limit: limit - found.length,
            })
          : segments.filter(fits);
      found.push(...ofRun);
      if (found.length >= limit) break;
      below = first - 1;
    }
    if (runs.length < runsAtOnce) break;
  }
  return found.slice(0, limit);
}

/** The ids in the range of segments whose text does not rule the name out, newest first. */
async function segmentsBetween(
  { db, dialect }: Pick<Store, 'db' | 'dialect'>,
  name: RequestName,
  { accountId, from, to, limit }: { readonly accountId: string | null; readonly from: number; readonly to: number; readonly limit: number },
): Promise<number[]> {
  let query = db.selectFrom('request_log').select('id').where('id', '>=', from).where('id', '<=', to).where(mayHold(name, dialect));
  if (accountId !== null) query = query.where('account_id', '=', accountId);
  return (await query.orderBy('id', 'desc').limit(limit).execute()).map(({ id }) => id);
}

/** Whether the text of a segment does not rule the name out (log-records.ts): a failure has its status and its code one after the other. */
function mayHold({ kind, value }: RequestName, dialect: Dialect): Expression<SqlBool> {
  if (kind === 'failed') return sql<boolean>`(records like '%,4__,"%' or records like '%,5__,"%')`;
  return sql<boolean>`${sql.raw(dialect === 'sqlite' ? 'instr' : 'strpos')}(records, ${JSON.stringify(value)}) > 0`;
}

async function lastSegment({ db }: Pick<Store, 'db'>): Promise<number> {
  const row = await db.selectFrom('request_log').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}
