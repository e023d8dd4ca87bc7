import { sql } from 'kysely';
import { type Db, type RequestRecord, requestRecord } from '../store/index.ts';

/** Which sends are gone through. Every combination has an index of its own. */
export interface Scope {
  /** null: of all accounts. */
  readonly by: {
    readonly column: 'account_id' | 'recipient' | 'message_id' | /** Failures only. */ 'instance_id';
    readonly value: string;
  } | null;
  readonly failed: boolean;
}

/** A request's place in the log. */
export interface Place {
  readonly at: number;
  readonly id: number;
}

/** The newest sends of the scope, or the newest before a place: of all accounts as they were written, otherwise by time. */
export async function selectSends(
  db: Db,
  { by, failed }: Scope,
  before: Place | null,
  limit: number,
): Promise<{ readonly place: Place; readonly record: RequestRecord }[]> {
  let query = db.selectFrom('requests').selectAll().where('message_type', 'is not', null);
  if (failed) query = query.where('code', 'is not', null);
  if (by !== null) query = query.where(by.column, '=', by.value).orderBy('at', 'desc');
  if (before !== null)
    query = query.where(by === null ? sql<boolean>`id < ${before.id}` : sql<boolean>`(at, id) < (${before.at}, ${before.id})`);
  const rows = await query.orderBy('id', 'desc').limit(limit).execute();
  return rows.map((row) => ({ place: row, record: requestRecord(row) }));
}

/** The record of a request; undefined when there is none. */
export async function selectRequest(db: Db, requestId: string): Promise<RequestRecord | undefined> {
  const row = await db.selectFrom('requests').selectAll().where('request_id', '=', requestId).limit(1).executeTakeFirst();
  return row && requestRecord(row);
}

/** The requests with ids from `first` to `last`, both as long as an id. */
export async function selectRequestsBetween(db: Db, first: string, last: string, limit: number): Promise<RequestRecord[]> {
  const rows = await db
    .selectFrom('requests')
    .selectAll()
    .where('request_id', '>=', first)
    .where('request_id', '<=', last)
    .orderBy('request_id')
    .limit(limit)
    .execute();
  return rows.map(requestRecord);
}
