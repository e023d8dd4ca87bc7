import { newApiKey, newId, OperatorError } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { existingAccount } from './accounts.ts';
import { deleteExpiredKeys, insertKey, type KeySummary, selectKey, selectKeys, setRevoked } from './queries.ts';
import { checkLabel, quote, storedId } from './terms.ts';

/** A key just made: the only time its full text exists outside the caller's hands. */
export interface NewKey extends KeySummary {
  readonly key: string;
}

/** Makes a key for the account and returns it in full, once. Throws OperatorError for an unknown account or a bad label. */
export async function createKey(
  store: Store,
  accountId: string,
  options: { readonly label: string | null; readonly now: number },
): Promise<NewKey> {
  const label = options.label === null ? null : checkLabel(options.label);
  return insert(store, accountId, { label, now: options.now, expiresAt: null });
}

/**
 * A key that stops working by itself after `ttlMs`, for the command line's own calls to the server. It is not listed.
 * Passing keys whose time is over are deleted on the way.
 */
export async function createPassingKey(
  store: Store,
  accountId: string,
  options: { readonly ttlMs: number; readonly now: number },
): Promise<NewKey> {
  return insert(store, accountId, { label: null, now: options.now, expiresAt: options.now + options.ttlMs });
}

/** The account's keys, oldest first, revoked ones included. Throws OperatorError for an unknown account. */
export async function listKeys(store: Store, accountId: string): Promise<KeySummary[]> {
  return selectKeys(store.db, await existingAccount(store.db, accountId));
}

/** Revokes the key from the next request on; one that is revoked already stays as it is. Throws OperatorError for an unknown id. */
export async function revokeKey(store: Store, keyId: string, now: number): Promise<KeySummary> {
  return store.transaction(async (trx) => {
    const id = storedId(keyId);
    await setRevoked(trx, id, now);
    const key = await selectKey(trx, id);
    if (key === undefined) throw new OperatorError(`there is no key ${quote(keyId)}`);
    return key;
  });
}

function insert(
  store: Store,
  accountId: string,
  options: { label: string | null; now: number; expiresAt: number | null },
): Promise<NewKey> {
  const { key, prefix, hash } = newApiKey();
  const { label, now, expiresAt } = options;
  return store.transaction(async (trx) => {
    const account = await existingAccount(trx, accountId);
    if (expiresAt !== null) await deleteExpiredKeys(trx, now);
    const shown = { id: newId(), account_id: account, prefix, label, created_at: now, last_used_at: null, revoked_at: null };
    await insertKey(trx, { ...shown, hash, expires_at: expiresAt });
    return { ...shown, key };
  });
}
