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

/** SHA-256 works on blocks of this many bytes. */
const blockBytes = 64;

/**
 * HMAC-SHA-256 (RFC 2104) with Node's one-shot hash, for a key of at most 64 bytes. Node's own HMAC takes more than twice as long for a few bytes,
 * because it creates several native objects. Data that comes in several pieces goes to Node's own, so that nothing is collected here.
 */
class OneShotHmac {
  readonly #key: Uint8Array;
  readonly #native: (key: ReturnType<typeof createSecretKey>) => Hmac;
  #first: Uint8Array | null = null;
  #pieces: Hmac | null = null;

  /** `native` creates Node's own HMAC-SHA-256. */
  constructor(key: Uint8Array, native: (key: ReturnType<typeof createSecretKey>) => Hmac) {
    this.#key = key;
    this.#native = native;
  }

  update(data: string | Uint8Array, encoding?: Encoding): this {
    const bytes = typeof data === 'string' ? Buffer.from(data, encoding) : data;
    if (this.#first === null) {
      this.#first = bytes;
      return this;
    }
    this.#pieces ??= this.#native(createSecretKey(this.#key)).update(this.#first);
    this.#pieces.update(bytes);
    return this;
  }

  digest(): Buffer;
  digest(encoding: BinaryToTextEncoding): string;
  digest(encoding?: BinaryToTextEncoding): Buffer | string {
    const mac = this.#pieces?.digest() ?? this.#mac(this.#first ?? Buffer.alloc(0));
    return encoding === undefined ? mac : mac.toString(encoding);
  }

  #mac(data: Uint8Array): Buffer {
    const inner = Buffer.concat([this.#padded(0x36, blockBytes), data]);
    const outer = this.#padded(0x5c, blockBytes + 32);
    // As a string with one character per byte ('binary'), which Node makes three times as fast as a Buffer.
    outer.write(hash('sha256', inner, 'binary'), blockBytes, 'binary');
    return Buffer.from(hash('sha256', outer, 'binary'), 'binary');
  }

  /** A buffer of this size that begins with the key, filled up to a block, XORed with a byte. */
  #padded(mask: number, size: number): Buffer {
    const block = Buffer.allocUnsafe(size);
    for (let place = 0; place < blockBytes; place++) block[place] = (this.#key[place] ?? 0) ^ mask;
    return block;
  }
}
