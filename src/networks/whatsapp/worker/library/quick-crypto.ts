import crypto, { type BinaryToTextEncoding, type CipherKey, createSecretKey, type Encoding, type Hmac, hash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

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
        ? oneShotHmac(key, (object) => createHmac('sha256', object))
        : createHmac(algorithm, keyOf(key), ...rest),
  };
  // Only the key argument changes; the overloads by algorithm stay as Node declares them.
  Object.assign(crypto, quick as unknown as KeyedCrypto);
  syncBuiltinESMExports();
}

function keyOf(key: CipherKey): CipherKey {
  return key instanceof Uint8Array ? createSecretKey(key) : key;
}

/** SHA-256 works on blocks of this many bytes. */
const blockBytes = 64;

/**
 * HMAC-SHA-256 (RFC 2104) with Node's one-shot hash, for a key of at most 64 bytes. Node's own (`native`) takes more than twice as long for a few
 * bytes, because it creates several native objects. Data that comes in several pieces goes to Node's own, so that nothing is collected here.
 */
function oneShotHmac(key: Uint8Array, native: (key: ReturnType<typeof createSecretKey>) => Hmac) {
  let first: Uint8Array | null = null;
  let pieces: Hmac | null = null;
  return {
    update(data: string | Uint8Array, encoding?: Encoding) {
      const bytes = typeof data === 'string' ? Buffer.from(data, encoding) : data;
      if (first === null) first = bytes;
      else {
        pieces ??= native(createSecretKey(key)).update(first);
        pieces.update(bytes);
      }
      return this;
    },
    digest(encoding?: BinaryToTextEncoding): Buffer | string {
      const mac = pieces?.digest() ?? oneShot(key, first ?? Buffer.alloc(0));
      return encoding === undefined ? mac : mac.toString(encoding);
    },
  };
}

function oneShot(key: Uint8Array, data: Uint8Array): Buffer {
  const inner = Buffer.allocUnsafe(blockBytes + data.length);
  const outer = Buffer.allocUnsafe(blockBytes + 32);
  for (let place = 0; place < blockBytes; place++) {
    inner[place] = (key[place] ?? 0) ^ 0x36;
    outer[place] = (key[place] ?? 0) ^ 0x5c;
  }
  inner.set(data, blockBytes);
  // As a string with one character per byte ('binary'), which Node makes three times as fast as a Buffer.
  outer.write(hash('sha256', inner, 'binary'), blockBytes, 'binary');
  return Buffer.from(hash('sha256', outer, 'binary'), 'binary');
}
