import { OperatorError } from '../core/index.ts';
import { type ActivityFilter, findRecord, listActivity, type SendRecord } from '../requests/index.ts';
import type { InstanceRow, RequestRecord, Store } from '../store/index.ts';
import { existingAccount } from './accounts.ts';
import { selectInstance, selectInstances } from './queries.ts';
import { quote, storedId } from './terms.ts';

/** The request log's record of a request. Throws OperatorError when it holds none (kept for 30 days; what another server answered is written up to a second late). */
export async function findRequest(store: Store, requestId: string): Promise<RequestRecord> {
  const request = await findRecord(store, requestId);
  if (request === undefined) throw new OperatorError(`the request log has no request ${quote(requestId)}`);
  return request;
}

/**
 * The newest sends of the last 30 days that match, at most `limit`, of one account or of all (null). Looks through the whole log if need be.
 * Throws OperatorError for an unknown account.
 */
export async function listSends(
  store: Store,
  accountId: string | null,
  filter: ActivityFilter,
  { limit, now }: { readonly limit: number; readonly now: number },
): Promise<SendRecord[]> {
  const account = accountId === null ? null : await existingAccount(store.db, accountId);
  const found: SendRecord[] = [];
  let cursor: string | null = null;
  do {
    const page = await listActivity(store, account, filter, { cursor, limit: limit - found.length, now });
    found.push(...page.sends);
    cursor = page.cursor;
  } while (cursor !== null && found.length < limit);
  return found;
}

/** The account's instances, oldest first. Throws OperatorError for an unknown account. */
export async function listNumbers(store: Store, accountId: string): Promise<InstanceRow[]> {
  return selectInstances(store.db, await existingAccount(store.db, accountId));
}

/** One instance, whichever account it belongs to. Throws OperatorError for an unknown id. */
export async function findNumber(store: Store, instanceId: string): Promise<InstanceRow> {
  const instance = await selectInstance(store.db, storedId(instanceId));
  if (instance === undefined) throw new OperatorError(`there is no number ${quote(instanceId)}`);
  return instance;
}
