import { randomInt } from 'node:crypto';
import type { proto } from 'baileys';
import type { Account } from './account.ts';
import type { Stanza, WhatsAppServerOptions } from './api.ts';
import type { ContactToken } from './contact-tokens.ts';
import { type Device, deviceJid, type Parcel, type Receipt } from './device.ts';
import { Inbox, type InboxEntry } from './inbox.ts';
import type { KeyBundle } from './key-bundle.ts';
import { Outbox } from './outbox.ts';
import type { Recorder } from './recorder.ts';
import { SignalIdentity } from './signal-identity.ts';

export interface SimulatedDeviceOptions {
  readonly record: Recorder;
  readonly decrypt: NonNullable<WhatsAppServerOptions['decrypt']>;
  readonly receipts: boolean;
}

const maxRetries = 5;
/** From this retry count on, a device sends the keys for a new Signal session. */
const keysFromCount = 2;

/** A phone or companion simulated by the server. Its keys and mailboxes are created when first needed. */
export class SimulatedDevice implements Device {
  readonly account: Account;
  readonly id: number;
  readonly keyIndex: number;
  readonly #options: SimulatedDeviceOptions;
  #made: { signal: SignalIdentity; inbox: Inbox; outbox: Outbox } | null = null;
  #sending: Promise<unknown> = Promise.resolve();
  #away = false;
  #reinstalled = false;
  /** What earlier installations had received. */
  readonly #former: Inbox[] = [];
  /** How often it has asked for a message, by sender and id. A repetition that it cannot read either is counted too. */
  readonly #asked = new Map<string, number>();

  constructor(account: Account, id: number, options: SimulatedDeviceOptions) {
    this.account = account;
    this.id = id;
    this.keyIndex = id;
    this.#options = options;
  }

  /** The Signal keys and sessions. The phone's identity key also signs for the devices that it links. */
  get signal(): SignalIdentity {
    return this.#parts.signal;
  }

  takeBundle(): Promise<KeyBundle> {
    return this.#parts.signal.takeBundle();
  }

  deliver(parcel: Parcel): void {
    const { decrypt, record } = this.#options;
    if (decrypt !== 'never') this.#parts.inbox.add(parcel);
    if (decrypt !== 'at_once') this.#acknowledge(parcel);
    else if (!this.#away) void this.#parts.inbox.open();
    record.changed();
  }

  /** While it is away, incoming messages wait and are decrypted when it is back. */
  set away(away: boolean) {
    this.#away = away;
    if (!away) void this.#parts.inbox.open();
  }

  /** Replaces all keys. Waiting messages were encrypted for the old ones. */
  reinstall(): void {
    const waiting = this.#made?.inbox.takeWaiting() ?? [];
    if (this.#made !== null) this.#former.push(this.#made.inbox);
    this.#made = null;
    this.#reinstalled = true;
    for (const parcel of waiting) this.#parts.inbox.add(parcel);
  }

  /** A retry receipt makes the phone send again; others are ignored. */
  receive(receipt: Receipt): void {
    if (receipt.type !== 'retry') return;
    this.#inOrder(() => this.#parts.outbox.retry(receipt)).catch((error: unknown) =>
      this.#options.record.problem(`a retry failed: ${error}`),
    );
  }

  /** The received messages, decrypted. */
  async entries(): Promise<InboxEntry[]> {
    if (this.#options.decrypt === 'never') throw new Error("this server keeps no messages (decrypt: 'never')");
    if (!this.#made) return [];
    await this.#made.inbox.open();
    return this.#made.inbox.entries;
  }

  /** The messages that earlier installations had received, decrypted. */
  get formerEntries(): InboxEntry[] {
    return this.#former.flatMap(({ entries }) => entries);
  }

  /** Sends a message to a companion that was linked to this phone. */
  handOver(companion: Device, message: proto.IMessage): Promise<string> {
    return this.#inOrder(() => this.#parts.outbox.handOver(companion, message));
  }

  /** Starts a Signal session with a device, to which nothing is sent yet. */
  fetchKeysOf(device: Device): Promise<void> {
    return this.#inOrder(() => this.#parts.outbox.fetchKeysOf(device));
  }

  send(to: Account, message: proto.IMessage, token: ContactToken | null = null): Promise<string> {
    return this.#inOrder(async () => {
      // Earlier messages from a peer decide which Signal session the answer belongs to.
      await this.#parts.inbox.open();
      return await this.#parts.outbox.send(to, message, token);
    });
  }

  get #parts(): { signal: SignalIdentity; inbox: Inbox; outbox: Outbox } {
    if (this.#made) return this.#made;
    const signal = new SignalIdentity();
    const inbox = new Inbox({
      owner: this.account.number,
      signal,
      onDecrypted: (parcel) => this.#onDecrypted(parcel),
      onUndecryptable: (parcel, reason) => this.#askAgain(parcel, reason),
    });
    this.#made = { signal, inbox, outbox: new Outbox(this, signal) };
    return this.#made;
  }

  #onDecrypted(parcel: Parcel): void {
    if (this.#options.decrypt === 'at_once') this.#acknowledge(parcel);
    this.#options.record.arrived(deviceJid(this), stanzaOf(parcel));
    this.#options.record.changed();
  }

  #askAgain(parcel: Parcel, reason: string): void {
    void this.#sendRetryReceipt(parcel, reason);
  }

  async #sendRetryReceipt(parcel: Parcel, reason: string): Promise<void> {
    if (!parcel.spoiled && !this.#reinstalled)
      this.#options.record.problem(
        `${this.account.number}:${this.id} cannot decrypt ${parcel.id} from ${parcel.from.account.number}: ${reason}`,
      );
    const name = `${deviceJid(parcel.from)} ${parcel.id}`;
    if ((this.#asked.get(name) ?? 0) < maxRetries) this.#options.record.askedAgain(deviceJid(this), stanzaOf(parcel));
    await this.askFor(parcel.from, parcel.id, parcel.to);
  }

  /** Asks a device for a message, by default one to this device's own account, unless it has already asked too often. */
  async askFor(from: Device, id: string, to: Account = this.account): Promise<void> {
    const name = `${deviceJid(from)} ${id}`;
    const retry = (this.#asked.get(name) ?? 0) + 1;
    if (retry > maxRetries) return;
    this.#asked.set(name, retry);
    const { signal } = this.#parts;
    const keys = retry < keysFromCount ? null : await signal.takeBundle();
    from.receive({ id, from: this, to, type: 'retry', retry, registrationId: signal.registrationId, keys });
  }

  /** Asks as if for the first time, under another registration and without keys. */
  askAfresh(from: Device, id: string): void {
    from.receive({ id, from: this, to: this.account, type: 'retry', retry: 1, registrationId: randomInt(2 ** 16, 2 ** 31), keys: null });
  }

  /** Tells a device that a message is read, by default one to this device's own account. */
  reads(from: Device, id: string, to: Account = this.account): void {
    from.receive({ id, from: this, to, type: 'read', retry: 0, registrationId: 0, keys: null });
  }

  #acknowledge(parcel: Parcel): void {
    if (!this.#options.receipts || parcel.to !== this.account) return;
    parcel.from.receive({ id: parcel.id, from: this, to: parcel.to, type: 'delivery', retry: 0, registrationId: 0, keys: null });
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#sending.then(work);
    this.#sending = done.catch(() => undefined);
    return done;
  }
}

function stanzaOf({ id, from, to }: Parcel): Stanza {
  return { id, from: from.account.number, to: to.number };
}
