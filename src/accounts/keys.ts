import { type Act, type Acted, changesBetween, recordAudit, selectActorAt } from '../audit/index.ts';
import { Conflict, newApiKey, newId, OperatorError, quote, storedId } from '../core/index.ts';
import { type Db, existingAccount, type Store } from '../store/index.ts';
import { lockExisting } from './queries/accounts.ts';
import { countLiveKeys, deleteExpiredKeys, insertKey, type KeySummary, selectKey, selectKeys, setRevoked } from './queries/keys.ts';
import { checkLabel } from './terms.ts';

/** A key just made: the only time its full text exists outside the caller's hands. */
export interface NewKey extends KeySummary {
  readonly key: string;
}

/**
 * Makes a key for the account and returns it in full, once. Throws OperatorError for an unknown account or a bad label, and Conflict when the account
 * has `mostLive` keys in use.
 */
export async function createKey(
  store: Store,
  accountId: string,
  options: { readonly label: string | null; readonly mostLive?: number },
  act: Act,
): Promise<NewKey> {
  const label = options.label === null ? null : checkLabel(options.label);
  return store.transaction(async (trx) => {
    const { id } = await lockExisting(trx, storedId(accountId));
    const live = await countLiveKeys(trx, id);
    if (options.mostLive !== undefined && live >= options.mostLive)
      throw new Conflict(`the account has ${live} keys in use; revoke one you no longer need first`);
    const key = await insert(trx, accountId, { label, now: act.now, expiresAt: null });
    const details = changesBetween(null, audited(key)) ?? {};
    await recordAudit(trx, act, { action: 'key.create', targetId: key.id, accountId: key.account_id, details });
    return key;
  });
}

/**
 * A key that stops working by itself after `ttlMs`, for the command line's own calls to the server. It is neither listed nor in the audit log.
 * Passing keys whose time is over are deleted on the way.
 */
export async function createPassingKey(
  store: Store,
  accountId: string,
  options: { readonly ttlMs: number; readonly now: number },
): Promise<NewKey> {
  return store.transaction(async (trx) => {
    await deleteExpiredKeys(trx, options.now);
    return insert(trx, accountId, { label: null, now: options.now, expiresAt: options.now + options.ttlMs });
  });
}

/** The account's keys, oldest first, revoked ones included. Throws OperatorError for an unknown account. */
export async function listKeys(store: Store, accountId: string): Promise<KeySummary[]> {
  return selectKeys(store.db, await existingAccount(store.db, accountId));
}

/** The prefix of each key of an account, by its id; revoked ones included. */
export async function keyPrefixes(store: Store, accountId: string): Promise<ReadonlyMap<string, string>> {
  return new Map((await listKeys(store, accountId)).map(({ id, prefix }) => [id, prefix]));
}

/** Revokes the key from the next request on; one that is revoked already stays as it is. Throws OperatorError for an unknown id. */
export async function revokeKey(store: Store, keyId: string, act: Act): Promise<KeySummary> {
  return store.transaction(async (trx) => {
    const id = storedId(keyId);
    const found = await selectKey(trx, id);
    if (found === undefined) throw new OperatorError(`there is no key ${quote(keyId)}`);
    const revoked = await setRevoked(trx, id, act.now);
    const key = (await selectKey(trx, id)) ?? found;
    const details = changesBetween(audited(key), null) ?? {};
    if (revoked === 'lasting') await recordAudit(trx, act, { action: 'key.revoke', targetId: id, accountId: key.account_id, details });
    return key;
  });
}

/** Who made a key, and who revoked it; null where the audit log does not have it any more. */
export async function keyActors(
  { db }: Pick<Store, 'db'>,
  { id, created_at, revoked_at }: Pick<KeySummary, 'id' | 'created_at' | 'revoked_at'>,
): Promise<{ readonly made: Acted | null; readonly revoked: Acted | null }> {
  const made = await selectActorAt(db, { action: 'key.create', targetId: id, at: created_at });
  const revoked = revoked_at === null ? undefined : await selectActorAt(db, { action: 'key.revoke', targetId: id, at: revoked_at });
  return { made: made ?? null, revoked: revoked ?? null };
}

async function insert(
  trx: Db,
  accountId: string,
  { label, now, expiresAt }: { label: string | null; now: number; expiresAt: number | null },
): Promise<NewKey> {
  const { key, prefix, hash } = newApiKey();
  const account = await existingAccount(trx, accountId);
  const shown = { id: newId(), account_id: account, prefix, label, created_at: now, last_used_at: null, revoked_at: null };
  await insertKey(trx, { ...shown, hash, expires_at: expiresAt });
  return { ...shown, key };
}

function audited({ prefix, label }: KeySummary) {
  return { prefix, label };
}
