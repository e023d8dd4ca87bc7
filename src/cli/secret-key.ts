import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';
import { opensCredentials } from '../sessions/index.ts';
import type { Store } from '../store/index.ts';
import { hasSecretKey, openVault, readSecretKey } from '../vault/index.ts';

/**
 * The secret key of the settings; null when there is none yet, and none is made. Throws OperatorError when numbers are linked in this database and
 * the key to their credentials is missing, or is another one.
 */
export async function requireSecretKey(config: Config, db: Store['db']): Promise<Buffer | null> {
  const keyFile = join(config.dataDir, 'secret.key');
  const isGiven = hasSecretKey(config);
  // Reading a key that is not there would make one.
  const key = isGiven ? readSecretKey(config) : null;
  if ((await opensCredentials(db, key === null ? null : await openVault(db, key))) !== false) return key;
  throw new OperatorError(
    isGiven
      ? `the credentials of the linked numbers are encrypted with a different key from ${config.secretKey === null ? keyFile : 'SECRET_KEY'}; provide the key that belongs to this database`
      : `the linked numbers need their secret key: set SECRET_KEY, or put it into ${keyFile}, and try again`,
  );
}
