import type { proto } from 'baileys';
import { openContent } from './content.ts';
import { type Parcel, signalJid } from './device.ts';
import type { SignalIdentity } from './signal-identity.ts';

export interface InboxEntry {
  readonly parcel: Parcel;
  readonly message: proto.IMessage;
  readonly times: number;
}

export interface InboxOptions {
  readonly owner: string;
  readonly signal: SignalIdentity;
  readonly onDecrypted: (parcel: Parcel) => void;
  readonly onUndecryptable: (parcel: Parcel, reason: string) => void;
}

/** The messages that a device received: ciphertexts kept in order and decrypted one after another, one entry per sender and message id. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #waiting: Parcel[] = [];
  readonly #entries = new Map<string, InboxEntry>();
  #opening: Promise<void> | null = null;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  add(parcel: Parcel): void {
    this.#waiting.push(parcel);
  }

  /** Removes and returns what has not been decrypted yet. */
  takeWaiting(): Parcel[] {
    return this.#waiting.splice(0);
  }

  get entries(): InboxEntry[] {
    return [...this.#entries.values()];
  }

  /** Decrypts everything that waits, including what arrives meanwhile. */
  open(): Promise<void> {
    this.#opening ??= this.#openAll().finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  async #openAll(): Promise<void> {
    for (let parcel = this.#waiting.shift(); parcel; parcel = this.#waiting.shift()) await this.#openOne(parcel);
  }

  async #openOne(parcel: Parcel): Promise<void> {
    try {
      if (parcel.spoiled) throw new Error('the phone was told not to understand this one');
      const padded = await this.#options.signal.decrypt(signalJid(parcel.from), parcel.type, parcel.ciphertext);
      const message = openContent(parcel, this.#options.owner, padded);
      const key = `${parcel.from.account.number} ${parcel.id}`;
      const shown = this.#entries.get(key);
      this.#entries.set(key, shown ? { ...shown, times: shown.times + 1 } : { parcel, message, times: 1 });
      this.#options.onDecrypted(parcel);
    } catch (error) {
      this.#options.onUndecryptable(parcel, error instanceof Error ? error.message : String(error));
    }
  }
}
