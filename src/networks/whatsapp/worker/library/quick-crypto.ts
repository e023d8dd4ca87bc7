import crypto, {
  type BinaryToTextEncoding,
  type CipherKey,
  createSecretKey,
  type Encoding,
  type Hmac,
  hash,
  type KeyObject,
  type PrivateKeyInput,
  type PublicKeyInput,
} from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type BoundedCache, createCache } from './bounded-cache.ts';

type KeyedCrypto = Pick<
  typeof crypto,
  'createCipheriv' | 'createDecipheriv' | 'createHmac' | 'createPrivateKey' | 'createPublicKey' | 'generateKeyPairSync'
>;

/**
 * Makes Node's functions with keys in this thread quicker for the keys of Baileys and libsignal, which pass them as bytes. Must be called before they
 * are loaded.
 *
 * - Ciphers and HMAC get key objects: with a key in bytes Node takes 10 to 18 µs, with a key object 2 µs, and a message needs several.
 *   HMAC-SHA-256, of which a message needs fifteen, becomes faster still.
 * - Curve25519 keys are read in raw form, and the key objects used last are kept: the start of a SignalSession uses its own two secret keys six
 *   times.
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
    ...rawCurveKeys(),
  };
  // Only the key argument changes; the overloads by algorithm stay as Node declares them.
  Object.assign(crypto, quick as unknown as KeyedCrypto);
  syncBuiltinESMExports();
}

function keyOf(key: CipherKey): CipherKey {
  return key instanceof Uint8Array ? createSecretKey(key) : key;
}

/** What stands before a Curve25519 key in DER, the form in which the libraries pass it. */
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex');
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
/** How many key objects of each kind are kept. */
const keptKeys = 128;

/** Node's functions for Curve25519 keys, with raw keys and the key objects used last. What they are given otherwise goes to Node's own. */
function rawCurveKeys() {
  const { createPrivateKey, createPublicKey, generateKeyPairSync } = crypto;
  const publicKeys = createCache<KeyObject>({ limit: keptKeys });
  const privateKeys = createCache<KeyObject>({ limit: keptKeys });
  return {
    createPublicKey: (given: PublicKeyInput) =>
      keptKey(publicKeys, rawIn(given, publicPrefix), (key) =>
        createPublicKey(key === null ? given : { key, format: 'raw-public', asymmetricKeyType: 'x25519' }),
      ),
    createPrivateKey: (given: PrivateKeyInput) =>
      keptKey(privateKeys, rawIn(given, privatePrefix), (key) =>
        createPrivateKey(key === null ? given : { key, format: 'raw-private', asymmetricKeyType: 'x25519' }),
      ),
    generateKeyPairSync(type: 'x25519', options?: { publicKeyEncoding?: unknown; privateKeyEncoding?: unknown }) {
      if (type !== 'x25519' || !isDer(options?.publicKeyEncoding) || !isDer(options?.privateKeyEncoding))
        return generateKeyPairSync(type, options as undefined);
      const { publicKey, privateKey } = generateKeyPairSync(type);
      const secret = privateKey.export({ format: 'raw-private' });
      keptKey(privateKeys, secret, () => privateKey);
      return {
        publicKey: Buffer.concat([publicPrefix, publicKey.export({ format: 'raw-public' })]),
        privateKey: Buffer.concat([privatePrefix, secret]),
      };
    },
  };
}

/** The key object of a raw key, made once while it is kept; null is made each time. */
function keptKey(kept: BoundedCache<KeyObject>, key: Buffer | null, make: (key: Buffer | null) => KeyObject): KeyObject {
  if (key === null) return make(null);
  const name = key.toString('latin1');
  const known = kept.get(name);
  if (known !== undefined) return known;
  const made = make(key);
  kept.set(name, made);
  return made;
}

/** The raw key in a DER form with this prefix; null for any other key. */
function rawIn({ key, format }: PublicKeyInput | PrivateKeyInput, prefix: Buffer): Buffer | null {
  const isOne =
    format === 'der' && key instanceof Buffer && key.length === prefix.length + 32 && prefix.equals(key.subarray(0, prefix.length));
  return isOne ? key.subarray(prefix.length) : null;
}

function isDer(encoding: unknown): boolean {
  return typeof encoding === 'object' && encoding !== null && 'format' in encoding && encoding.format === 'der';
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
