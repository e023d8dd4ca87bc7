import { createHmac } from 'node:crypto';
import { newId, OperatorError } from '../core/index.ts';
import { readMeta, type Store } from '../store/index.ts';

/**
 * The id of the installation that the store belongs to; it distinguishes it from others that share a Redis server. Throws OperatorError when its
 * servers were started with another SECRET_KEY: what one of them sealed, the other could not open.
 */
export async function joinInstallation(store: Store, secretKey: Buffer): Promise<string> {
  const check = secretKeyCheck(secretKey);
  const id = await keptAs(store, 'installation', newId());
  const isFirst = (await keptAs(store, secretKeyCheckName, check)) === check;
  if (!isFirst && (await readMeta(store.db, keysNameOf(secretKey))) === null) throw otherSecretKey();
  return id;
}

/** Where the table `meta` has `secretKeyCheck`. */
export const secretKeyCheckName = 'secret_key_check';

/** Distinguishes keys without revealing them. */
export function secretKeyCheck(secretKey: Buffer): string {
  return createHmac('sha256', secretKey).update('messaging-gateway installation').digest('hex');
}

/** Where the table `meta` has the keys that this SECRET_KEY opens (keys.ts). */
export const keysNameOf = (secretKey: Buffer): string => `${keysPrefix}${secretKeyCheck(secretKey)}`;
export const keysPrefix = 'keys ';

export function otherSecretKey(): OperatorError {
  return new OperatorError(
    'this is not the secret key of the installation (SECRET_KEY, or secret.key in DATA_DIR); give every server the same one, after a rotation the new one',
  );
}

/** The value in the table `meta`; the given one when there is none yet. */
async function keptAs({ db }: Store, name: string, value: string): Promise<string> {
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await readMeta(db, name)) ?? value;
}
