import type { AuthenticationCreds } from 'baileys';
import { ProtocolAddress, SessionCipher, SessionRecord, type SignalStorage } from 'libsignal';

export interface Ciphertext {
  readonly type: 'pkmsg' | 'msg';
  readonly bytes: Uint8Array;
}

/** The number by which libsignal marks a message that also builds the session at the other side. */
const preKeyMessage = 3;

/**
 * The Signal sessions of a batch of messages. Each record is read once and written once for all the messages, libsignal's own cipher works on
 * them in memory.
 */
export class BatchEncryption {
  readonly #records = new Map<string, SessionRecord>();
  readonly #used = new Set<string>();
  readonly #storage: SignalStorage;

  /** `stored` are the session records by Signal address, as Baileys' key store gives them. One that cannot be read counts as missing. */
  constructor(stored: Readonly<Record<string, Uint8Array>>, creds: AuthenticationCreds) {
    for (const [address, bytes] of Object.entries(stored)) {
      const record = readRecord(bytes);
      if (record?.haveOpenSession()) this.#records.set(address, record);
    }
    this.#storage = senderStorage(this.#records, creds);
  }

  /** Encrypts the next message for the device with this Signal address; null when it has no session. */
  async encrypt(address: string, plaintext: Buffer): Promise<Ciphertext | null> {
    if (!this.#records.has(address)) return null;
    this.#used.add(address);
    const { type, body } = await new UnqueuedCipher(this.#storage, addressOf(address)).encrypt(plaintext);
    // The declaration of libsignal 6.0.0 calls the body a string; it is a Buffer.
    return { type: type === preKeyMessage ? 'pkmsg' : 'msg', bytes: body as unknown as Buffer };
  }

  /** The records that have changed. They must be stored before any of the messages is sent. */
  changed(): Record<string, Uint8Array> {
    const records: Record<string, Uint8Array> = {};
    for (const [address, record] of this.#records) if (this.#used.has(address)) records[address] = record.serialize();
    return records;
  }
}

/**
 * libsignal runs the work for one address, of all links of the thread, in one queue and in the asynchronous context of whoever came first. A batch
 * needs no queue, and must not run in another link's context: Baileys recognises its transactions by it.
 */
class UnqueuedCipher extends SessionCipher {
  queueJob<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
}

/** What libsignal asks its storage while it encrypts. */
function senderStorage(records: ReadonlyMap<string, SessionRecord>, creds: AuthenticationCreds): SignalStorage {
  const { registrationId, signedIdentityKey } = creds;
  const identity = { privKey: Buffer.from(signedIdentityKey.private), pubKey: Buffer.concat([Buffer.of(5), signedIdentityKey.public]) };
  const notForEncrypting = () => {
    throw new Error('libsignal asks for a key that encrypting does not need');
  };
  return {
    loadSession: async (address) => records.get(address),
    storeSession: async () => undefined,
    isTrustedIdentity: () => true,
    getOurRegistrationId: () => registrationId,
    getOurIdentity: () => identity,
    loadPreKey: notForEncrypting,
    removePreKey: notForEncrypting,
    loadSignedPreKey: notForEncrypting,
  };
}

function readRecord(stored: Uint8Array): SessionRecord | null {
  try {
    return SessionRecord.deserialize(stored);
  } catch {
    return null;
  }
}

function addressOf(address: string): ProtocolAddress {
  const dot = address.lastIndexOf('.');
  return new ProtocolAddress(address.slice(0, dot), Number(address.slice(dot + 1)));
}
