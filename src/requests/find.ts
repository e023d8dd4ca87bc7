import { OperatorError, quote } from '../core/index.ts';
import type { RequestRecord, Store } from '../store/index.ts';
import { selectRequest, selectRequestsBetween } from './queries.ts';

/** The record of a request, also of one that was answered here a moment ago; undefined when the log has none with this id. */
export async function findRecord({ db, hot }: Pick<Store, 'db' | 'hot'>, requestId: string): Promise<RequestRecord | undefined> {
  // Ids are stored in lower case, and typed or pasted in any.
  const id = requestId.toLowerCase();
  const record = await selectRequest(db, id);
  if (record !== undefined) return record;
  await hot.logged();
  return selectRequest(db, id);
}

/** The request log's record of a request. Throws OperatorError when it holds none (kept for 30 days; what another server answered is written up to a second late). */
export async function findRequest(store: Store, requestId: string): Promise<RequestRecord> {
  const request = await findRecord(store, requestId);
  if (request === undefined) throw new OperatorError(`the request log has no request ${quote(requestId)}`);
  return request;
}

/** The record of the account's request; undefined when the log has none with this id, or another account's. */
export async function findRequestOf(store: Store, accountId: string, requestId: string): Promise<RequestRecord | undefined> {
  const record = await findRecord(store, requestId);
  return record?.account_id === accountId ? record : undefined;
}

/** An id as long as it must be to name a moment: the milliseconds of a UUIDv7 are its first twelve digits. */
const shortestBeginning = 'xxxxxxxx-xxxx'.length;

/** The requests whose ids begin so; none for a beginning that does not name a moment. */
export async function requestsBeginning({ db }: Pick<Store, 'db'>, id: string, limit: number): Promise<RequestRecord[]> {
  if (id.length < shortestBeginning) return [];
  const filled = (digit: string) => id + 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.slice(id.length).replaceAll('x', digit);
  return selectRequestsBetween(db, filled('0'), filled('f'), limit);
}
