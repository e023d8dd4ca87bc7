import crypto, { type CipherKey, createSecretKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type KeyedCrypto = Pick<typeof crypto, 'createCipheriv' | 'createDecipheriv' | 'createHmac'>;

/**
 * From now on Node's cipher and HMAC functions turn keys given as bytes into key objects first, in this thread. Node takes 10 to 18 µs for a key
 * in bytes and 2 µs for a key object, and Baileys and libsignal use several keys per message. Call this before they are loaded.
 */
export function useKeyObjects(): void {
  const { createCipheriv, createDecipheriv, createHmac } = crypto;
  const quick = {
    createCipheriv: (algorithm: string, key: CipherKey, ...rest: [never]) => createCipheriv(algorithm, keyOf(key), ...rest),
    createDecipheriv: (algorithm: string, key: CipherKey, ...rest: [never]) => createDecipheriv(algorithm, keyOf(key), ...rest),
    createHmac: (algorithm: string, key: CipherKey, ...rest: []) => createHmac(algorithm, keyOf(key), ...rest),
  };
  // Only the key changes; the overloads by algorithm stay Node's own.
  Object.assign(crypto, quick as unknown as KeyedCrypto);
  syncBuiltinESMExports();
}

function keyOf(key: CipherKey): CipherKey {
  return key instanceof Uint8Array ? createSecretKey(key) : key;
}
