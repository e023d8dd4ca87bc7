import crypto, { type CipherKey, createSecretKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { OneShotHmac } from './one-shot-hmac.ts';

type KeyedCrypto = Pick<typeof crypto, 'createCipheriv' | 'createDecipheriv' | 'createHmac'>;

/**
 * Makes Node's cipher and HMAC functions in this thread convert keys from bytes to key objects first. With a key in bytes Node takes 10 to 18 µs,
 * with a key object 2 µs, and Baileys and libsignal use several keys per message. HMAC-SHA-256, of which a message needs fifteen, becomes faster
 * still. Must be called before they are loaded.
 */
export function useKeyObjects(): void {
  const { createCipheriv, createDecipheriv, createHmac } = crypto;
  const quick = {
    createCipheriv: (algorithm: string, key: CipherKey, ...rest: [never]) => createCipheriv(algorithm, keyOf(key), ...rest),
    createDecipheriv: (algorithm: string, key: CipherKey, ...rest: [never]) => createDecipheriv(algorithm, keyOf(key), ...rest),
    createHmac: (algorithm: string, key: CipherKey, ...rest: []) =>
      algorithm === 'sha256' && key instanceof Uint8Array && key.length <= 64
        ? new OneShotHmac(key, (object) => createHmac('sha256', object))
        : createHmac(algorithm, keyOf(key), ...rest),
  };
  // Only the key argument changes; the overloads by algorithm stay as Node declares them.
  Object.assign(crypto, quick as unknown as KeyedCrypto);
  syncBuiltinESMExports();
}

function keyOf(key: CipherKey): CipherKey {
  return key instanceof Uint8Array ? createSecretKey(key) : key;
}
