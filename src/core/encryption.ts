import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

/** The keys of an installation. None is ever taken away, so that whatever one of them sealed can be opened. */
export interface Keys {
  /** What identifiers derive from: the first SECRET_KEY, as long as the installation lives, so that a retry gets the same message id. */
  readonly root: Uint8Array;
  /** By number: the first byte of what each has sealed. */
  readonly sealing: ReadonlyMap<number, Uint8Array>;
  /** The number of the one that seals. */
  readonly current: number;
}

/** Something sealed cannot be opened: its key, its context or a bit of it is another one. */
export class CannotOpen extends Error {}

/** Encrypts what is secret at rest and derives identifiers that outsiders cannot predict, all from the keys of the installation. */
export interface Vault {
  /** AES-256-GCM; the context (for example the instance id) is authenticated, so a row copied elsewhere does not open. */
  seal(plain: Uint8Array, context: string): Buffer;
  /** Opens what `seal` made. Throws CannotOpen when the key, the context or a single bit differs. */
  open(sealed: Uint8Array, context: string): Buffer;
  /** 32 bytes of HMAC-SHA-256 over the parts, the same for the same parts and key. */
  derive(purpose: string, ...parts: string[]): Buffer;
  /**
   * 64 hexadecimal digits to make a message id from, the same for the same text and key: SHA3-256 over key and text. SHA-3 is a sound
   * authenticator with its key in front (NIST SP 800-185, KMAC), and Node takes a quarter of the time it takes for an HMAC.
   */
  messageSeed(text: string): string;
  /** The number of the key that seals. */
  readonly current: number;
  /** The numbers of the keys that have replaced the first one, newest first; each with a secret of its own for this purpose. */
  replacements(purpose: string): readonly { readonly number: number; readonly secret: Buffer }[];
  /** Reads the keys again if one of these was sealed with a key that this process does not have yet. */
  ready(sealed: readonly Uint8Array[]): Promise<void>;
  /** Reads the keys again. */
  refresh(): Promise<void>;
}

const ivBytes = 12;
const tagBytes = 16;
/** The number is one byte, and 0 is none. */
export const mostKeys = 255;

/** The keys of an installation whose SECRET_KEY was never replaced. */
export function firstKeys(secretKey: Uint8Array): Keys {
  return { root: secretKey, sealing: new Map([[1, secretKey]]), current: 1 };
}

/**
 * A vault over these keys, or over a 32-byte key that was never replaced. Separate keys for encryption and derivation come from each through
 * HKDF (RFC 5869). `read` gives the present keys, or null when they cannot be read.
 */
export function createVault(given: Uint8Array | Keys, read: () => Promise<Keys | null> = async () => null): Vault {
  const { root, ...first } = given instanceof Uint8Array ? firstKeys(given) : given;
  // Key objects, because Node takes 18 µs per use to look at a Buffer that is a key, and 2 for this.
  const derivationKey = createSecretKey(subkey(root, 'derivation'));
  // Of fixed length, so that no other key and text give the same input.
  const seedKey = subkey(root, 'message seed').toString('base64');
  const raw = new Map<number, Uint8Array>();
  const encryptionKeys = new Map<number, KeyObject>();
  let current = first.current;
  const learn = ({ sealing }: Pick<Keys, 'sealing'>) => {
    for (const [number, key] of sealing) {
      if (raw.has(number)) continue;
      raw.set(number, key);
      encryptionKeys.set(number, createSecretKey(subkey(key, 'encryption')));
    }
  };
  learn(first);
  const keyOf = (number: number | undefined): KeyObject => {
    const key = encryptionKeys.get(number ?? 0);
    if (key === undefined) throw new CannotOpen(`sealed with unknown key version ${number}`);
    return key;
  };

  const vault: Vault = {
    seal(plain, context) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', keyOf(current), iv).setAAD(Buffer.from(context));
      const body = [cipher.update(plain), cipher.final()];
      return Buffer.concat([Buffer.of(current), iv, cipher.getAuthTag(), ...body]);
    },
    open(sealed, context) {
      const key = keyOf(sealed[0]);
      const iv = sealed.subarray(1, 1 + ivBytes);
      const tag = sealed.subarray(1 + ivBytes, 1 + ivBytes + tagBytes);
      try {
        // The tag's length is named, because a shorter one, which is easier to forge, would be taken otherwise.
        const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(context)).setAuthTag(tag);
        return Buffer.concat([decipher.update(sealed.subarray(1 + ivBytes + tagBytes)), decipher.final()]);
      } catch (cause) {
        throw new CannotOpen('sealed with another key or for something else, or damaged', { cause });
      }
    },
    derive: (purpose, ...parts) => derived(derivationKey, purpose, ...parts),
    messageSeed: (text) => hash('sha3-256', `${seedKey}${text}`, 'hex'),
    get current() {
      return current;
    },
    replacements: (purpose) =>
      [...raw]
        .filter(([number]) => number > 1 && number <= current)
        .sort(([a], [b]) => b - a)
        .map(([number, key]) => ({ number, secret: derived(createSecretKey(subkey(key, 'derivation')), purpose) })),
    async ready(sealed) {
      if (sealed.some(([number]) => !encryptionKeys.has(number ?? 0))) await vault.refresh();
    },
    async refresh() {
      const keys = await read();
      if (keys === null) return;
      learn(keys);
      // Sealing with an earlier one again would undo a replacement.
      current = Math.max(current, keys.current);
    },
  };
  return vault;
}

function derived(key: KeyObject, ...parts: string[]): Buffer {
  // JSON keeps the parts apart: ("a","bc") and ("ab","c") differ.
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest();
}

function subkey(secretKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', `messaging-gateway ${purpose}`, 32));
}
