import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFile, makeFolder, OperatorError } from '../core/index.ts';

/** Of the settings, what says where the key is. */
interface KeySettings {
  /** null: in a file of `dataDir`. */
  readonly secretKey: Buffer | null;
  readonly dataDir: string;
}

/** Whether there is a key already; without one, `readSecretKey` makes one. */
export function hasSecretKey(config: KeySettings): boolean {
  return config.secretKey !== null || existsSync(join(config.dataDir, 'secret.key'));
}

/** SECRET_KEY, or the key in DATA_DIR/secret.key, which is made at the first start. Throws OperatorError when the file holds no key. */
export function readSecretKey(config: KeySettings): Buffer {
  if (config.secretKey !== null) return config.secretKey;
  const file = join(config.dataDir, 'secret.key');
  try {
    makeFolder(config.dataDir);
    // One that exists stays, so that two starts at once never make two keys.
    makeFile(file, `${randomBytes(32).toString('hex')}\n`, 'folder');
  } catch (error) {
    throw new OperatorError(`cannot write ${file}: ${error instanceof Error ? error.message : error}`);
  }
  let hex: string;
  try {
    hex = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new OperatorError(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
  if (!/^[0-9a-f]{64}$/i.test(hex)) {
    throw new OperatorError(
      `${file} must hold 64 hex digits; restore it from a backup (without it stored credentials cannot be decrypted)`,
    );
  }
  return Buffer.from(hex, 'hex');
}
