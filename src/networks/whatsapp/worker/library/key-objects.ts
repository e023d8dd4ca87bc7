import crypto, { type CipherKey, createSecretKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

type KeyedCrypto = Pick<typeof crypto, 'createCipheriv' | 'createDecipheriv' | 'createHmac'>;

/**
 * From now on keys that are bytes are made key objects before Node sees them, in this thread: it takes 10 to 18 µs to look at bytes, 2 for a key
 * object, and Baileys and its Signal library use several keys for each message. Call it before they are loaded.
 */
export function useKeyObjects(): void {
  const { createCipheriv, createDecipheriv, createHmac } = crypto;
  const quick = {
    createCipheriv: (algorithm: string, key: CipherKey, ...rest: [never]) => createCipheriv(algorithm, keyOf(key), ...rest),
    createDecipheriv: (algorithm: string, key: CipherKey, ...rest: [never]) => createDecipheriv(algorithm, keyOf(key), ...rest),
    createHmac: (algorithm: string, key: CipherKey, ...rest: []) => createHmac(algorithm, keyOf(key), ...rest),
  };
  // The overloads by algorithm are Node's own; nothing but the key is touched.
  Object.assign(crypto, quick as unknown as KeyedCrypto);
  syncBuiltinESMExports();
}

function keyOf(key: CipherKey): CipherKey {
  return key instanceof Uint8Array ? createSecretKey(key) : key;
}
