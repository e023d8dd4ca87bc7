import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { type Log, OperatorError, type Vault } from '../core/index.ts';
import { opensCredentials } from '../sessions/index.ts';
import type { Store } from '../store/index.ts';
import { hasSecretKey, openVault, readSecretKey } from '../vault/index.ts';

/**
 * The vault of a server. Throws OperatorError when the secret key is gone that linked numbers need: a new one would open none of them. With another
 * key the server starts, since some numbers may be linked anew, and the log says so.
 */
export async function openServersVault(db: Store['db'], config: Config, log: Pick<Log, 'warn' | 'error'>): Promise<Vault> {
  if (!hasSecretKey(config) && (await opensCredentials(db, null)) === false) {
    throw new OperatorError(
      `${join(config.dataDir, 'secret.key')} is missing, and only it decrypts the credentials of linked numbers: put it back from your backup. If it is lost for good, set SECRET_KEY to a new key; those numbers must then be disconnected and scanned again`,
    );
  }
  const vault = await openVault(db, readSecretKey(config), log);
  if ((await opensCredentials(db, vault)) === false) {
    log.error(
      {},
      'the credentials of linked numbers are encrypted with another secret key: give the server that key, and they connect again without a scan',
    );
  }
  return vault;
}
