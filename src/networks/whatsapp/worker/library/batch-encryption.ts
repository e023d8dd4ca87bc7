import type { AuthenticationCreds } from 'baileys';
import { ProtocolAddress, SessionCipher, SessionRecord, type SignalStorage } from 'libsignal';

export interface Ciphertext {
  readonly type: 'pkmsg' | 'msg';
  readonly bytes: Uint8Array;
}

/** libsignal's number for a message that also starts a Signal session on the other side. */
const preKeyMessage = 3;

/**
 * Encrypts a batch of messages. Each Signal record is read once and written once for the whole batch; in between, libsignal's own cipher works in
 * memory.
 */
export class BatchEncryption {
  readonly #records = new Map<string, SessionRecord>();
  readonly #used = new Set<string>();
  readonly #storage: SignalStorage;

  /** `stored` are the Signal records by Signal address, as Baileys' key store returns them. A record that cannot be read counts as missing. */
  constructor(stored: Readonly<Record<string, Uint8Array>>, creds: AuthenticationCreds) {
    for (const [address, bytes] of Object.entries(stored)) {
      const record = readRecord(bytes);
      if (record?.haveOpenSession()) this.#records.set(address, record);
    }
    this.#storage = senderStorage(this.#records, creds);
  }

  /** Encrypts the next message for the device with this Signal address; null when there is no Signal session with it. */
  async encrypt(address: string, plaintext: Buffer): Promise<Ciphertext | null> {
    if (!this.#records.has(address)) return null;
    this.#used.add(address);
    const { type, body } = await new UnqueuedCipher(this.#storage, addressOf(address)).encrypt(plaintext);
    // libsignal 6.0.0 declares the body as a string, but it is a Buffer.
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
 * For each address, libsignal queues the work of all links of the thread and runs it in the asynchronous context of the first caller. A batch needs
 * no queue and must not run in another link's context, because Baileys identifies its transactions by that context.
 */
class UnqueuedCipher extends SessionCipher {
  queueJob<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }
}

/** The storage that libsignal reads from while it encrypts. */
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
