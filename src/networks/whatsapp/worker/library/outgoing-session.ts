import { createCipheriv, createHmac, createSecretKey, hkdfSync } from 'node:crypto';

/** A Signal session record in the form in which Baileys' Signal library stores it, as far as encrypting uses it. Bytes are base64. */
interface StoredRecord {
  readonly _sessions: Readonly<Record<string, StoredSession>>;
}

interface StoredSession {
  readonly registrationId?: number;
  readonly currentRatchet: {
    readonly ephemeralKeyPair: { readonly pubKey: string };
    readonly previousCounter: number;
  };
  readonly indexInfo: { readonly closed: number; readonly remoteIdentityKey: string };
  /** By public key. */
  readonly _chains: Readonly<Record<string, StoredChain>>;
  /** There until the other side has answered: what it needs to build the session. */
  readonly pendingPreKey?: { readonly signedKeyId: number; readonly baseKey: string; readonly preKeyId?: number };
}

interface StoredChain {
  readonly chainKey: { readonly counter: number; readonly key?: string };
  readonly chainType: number;
}

/** Who encrypts. */
export interface Sender {
  readonly registrationId: number;
  /** With its leading type byte. */
  readonly identityKey: Uint8Array;
}

export interface Ciphertext {
  readonly type: 'pkmsg' | 'msg';
  readonly bytes: Uint8Array;
}

const open = -1;
const sendingChain = 1;
const version = 0x33;
const macBytes = 8;
const noSalt = Buffer.alloc(32);
const keysInfo = Buffer.from('WhisperMessageKeys');

/**
 * The sending side of a stored session. It does what the Signal library's own cipher does, byte for byte, but reads the record once for many
 * messages and hands Node keys in the form it is fast with: a key given as bytes costs more than the encryption itself.
 */
export class OutgoingSession {
  readonly #record: StoredRecord;
  readonly #name: string;
  readonly #session: StoredSession;
  readonly #chain: StoredChain;
  readonly #ratchetKey: Buffer;
  readonly #remoteIdentity: Buffer;
  #chainKey: Buffer;
  #counter: number;

  private constructor(record: StoredRecord, name: string, session: StoredSession, chain: StoredChain, chainKey: string) {
    this.#record = record;
    this.#name = name;
    this.#session = session;
    this.#chain = chain;
    this.#ratchetKey = Buffer.from(session.currentRatchet.ephemeralKeyPair.pubKey, 'base64');
    this.#remoteIdentity = Buffer.from(session.indexInfo.remoteIdentityKey, 'base64');
    this.#chainKey = Buffer.from(chainKey, 'base64');
    this.#counter = chain.chainKey.counter;
  }

  /** The open session of a record; null when there is none that can encrypt. */
  static of(record: unknown): OutgoingSession | null {
    if (!isRecord(record)) return null;
    const entry = Object.entries(record._sessions).find(([, { indexInfo }]) => indexInfo.closed === open);
    if (entry === undefined) return null;
    const [name, session] = entry;
    const chain = session._chains[session.currentRatchet.ephemeralKeyPair.pubKey];
    if (chain?.chainKey.key === undefined || chain.chainType !== sendingChain || typeof session.registrationId !== 'number') return null;
    return new OutgoingSession(record, name, session, chain, chain.chainKey.key);
  }

  /** Encrypts the next message. */
  encrypt(plaintext: Uint8Array, sender: Sender): Ciphertext {
    const chainKey = createSecretKey(this.#chainKey);
    const messageKey = createHmac('sha256', chainKey).update(Buffer.of(1)).digest();
    this.#chainKey = createHmac('sha256', chainKey).update(Buffer.of(2)).digest();
    this.#counter++;

    const keys = Buffer.from(hkdfSync('sha256', createSecretKey(messageKey), noSalt, keysInfo, 80));
    const cipher = createCipheriv('aes-256-cbc', createSecretKey(keys.subarray(0, 32)), keys.subarray(64, 80));
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    const message = Buffer.concat([
      Buffer.of(version),
      bytesField(1, this.#ratchetKey),
      numberField(2, this.#counter),
      numberField(3, this.#session.currentRatchet.previousCounter),
      bytesField(4, ciphertext),
    ]);
    const mac = createHmac('sha256', createSecretKey(keys.subarray(32, 64)))
      .update(sender.identityKey)
      .update(this.#remoteIdentity)
      .update(message)
      .digest();
    return this.#addressed(Buffer.concat([message, mac.subarray(0, macBytes)]), sender);
  }

  /** The record as it must be stored before any of the messages is sent. */
  record(): StoredRecord {
    const chainKey = { counter: this.#counter, key: this.#chainKey.toString('base64') };
    const _chains = {
      ...this.#session._chains,
      [this.#session.currentRatchet.ephemeralKeyPair.pubKey]: { ...this.#chain, chainKey },
    };
    return { ...this.#record, _sessions: { ...this.#record._sessions, [this.#name]: { ...this.#session, _chains } } };
  }

  /** Until the other side has answered, every message brings along what the session is built from. */
  #addressed(message: Buffer, { identityKey, registrationId }: Sender): Ciphertext {
    const { pendingPreKey } = this.#session;
    if (pendingPreKey === undefined) return { type: 'msg', bytes: message };
    const { preKeyId, baseKey, signedKeyId } = pendingPreKey;
    const parts = [
      Buffer.of(version),
      ...(preKeyId ? [numberField(1, preKeyId)] : []),
      bytesField(2, Buffer.from(baseKey, 'base64')),
      bytesField(3, identityKey),
      bytesField(4, message),
      numberField(5, registrationId),
      numberField(6, signedKeyId),
    ];
    return { type: 'pkmsg', bytes: Buffer.concat(parts) };
  }
}

function isRecord(record: unknown): record is StoredRecord {
  return typeof record === 'object' && record !== null && '_sessions' in record;
}

/** A field of bytes in the protocol's binary form. */
function bytesField(field: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

/** A field with a number from 0 to 2³² − 1. */
function numberField(field: number, value: number): Uint8Array {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value >>> 0;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
