import { type Clock, Mutex, newId } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import type { ShownCode } from '../code-rotation.ts';
import {
  type CloseReason,
  type Link,
  type LinkContext,
  LinkEnded,
  type LinkOutcome,
  type MessageEvent,
  noMessageEvents,
  type OutgoingMessage,
  type PasskeyAnswer,
  type Reachability,
  type SendOutcome,
} from '../index.ts';
import { meaningOf, type NumberMeaning, otherNumber, reachabilityOf, slowAcknowledgementMs } from './meaningful-numbers.ts';
import type { Outbox } from './outbox.ts';
import { PairingAttempt } from './pairing-attempt.ts';
import {
  type Device,
  decodeDeviceId,
  deviceRecord,
  encodeDevice,
  findDevicePhone,
  hasChat,
  removeDevice,
  replaceDevice,
} from './queries.ts';
import { keptMessages, type Retention } from './retention.ts';

export interface LinkServices {
  readonly db: Store['db'];
  readonly transaction: Store['transaction'];
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly retention: Retention;
  readonly links: ReadonlySet<SandboxLink>;
  /** Called once when the link has ended, before its session is notified. */
  ended(link: SandboxLink): void;
}

const accepted: SendOutcome = { outcome: 'accepted', providerStatus: 'PENDING' };
const notOpen: LinkOutcome = { outcome: 'not_open' };
const notSent: SendOutcome = { outcome: 'not_sent' };
const unknown: SendOutcome = { outcome: 'unknown' };
const refused: SendOutcome = { outcome: 'refused', reason: 'The number is not on the network.' };

const toAccepted = () => accepted;
const toUnknown = () => unknown;
const toLostAcknowledgement = (firstAttempt: boolean) => (firstAttempt ? unknown : accepted);

/** One instance on the sandbox network. It is open while it has a device. */
export class SandboxLink implements Link {
  readonly #services: LinkServices;
  readonly #context: LinkContext;
  readonly #slowAcknowledgements = new Set<() => void>();
  #device: { readonly id: string; readonly phoneNumber: string } | null = null;
  #attempt: PairingAttempt | null = null;
  #ended = false;
  #closedByItself = false;
  #deliveries = 0;
  #followed = noMessageEvents;
  /** Login, pairing, unlinking and logout run one after another, so that none interrupts another halfway. */
  readonly #work = new Mutex();

  constructor(services: LinkServices, context: LinkContext) {
    this.#services = services;
    this.#context = context;
    // No event is emitted before the call that opens the link has returned.
    void this.#work.take(() => this.#start());
  }

  get accountId(): string {
    return this.#context.accountId;
  }

  get instanceId(): string {
    return this.#context.instanceId;
  }

  /** The QR code on show; null when there is none. */
  get shownCode(): ShownCode | null {
    return this.#attempt?.shown ?? null;
  }

  /**
   * A phone enters a code. Null when this link does not show it; otherwise resolves when the number is linked and the session has been notified.
   * Rejects when the store fails.
   */
  scannedBy(code: string, phoneNumber: string): Promise<void> | null {
    if (this.#attempt?.accept(code, phoneNumber) !== true) return null;
    this.#attempt = null;
    return this.#work.take(() => this.#pair(phoneNumber));
  }

  /** The phone has removed these devices. Resolves when the session has been notified, if one of them belongs to this link. */
  devicesRemoved(deviceIds: ReadonlySet<string>): Promise<void> {
    return this.#work.take(async () => {
      if (this.#device !== null && deviceIds.has(this.#device.id)) await this.#dropDevice();
    });
  }

  /** Another link has logged in with this device. There may be only one connection per device, so this one ends. */
  loggedInElsewhere(deviceId: string): void {
    if (this.#device?.id === deviceId) this.#finish('replaced');
  }

  follow(events: ReadonlySet<MessageEvent>): void {
    this.#followed = events;
  }

  send(message: OutgoingMessage): Promise<LinkOutcome> {
    const device = this.#device;
    if (device === null) return Promise.resolve(notOpen);
    const meaning = meaningOf(message.to);
    if (meaning === 'not_on_network') return Promise.resolve(refused);
    if (meaning === 'cannot_say') return Promise.resolve(notSent);
    if (meaning === 'loses') return this.#storeEvents(message.messageId, ['lost']).then(toAccepted, toUnknown);
    const to = meaning === 'answers_elsewhere' ? otherNumber(message.to) : message.to;
    const { clock, outbox, retention } = this.#services;
    if (++this.#deliveries % keptMessages === 0) retention.look(this.accountId);

    let delivered: Promise<boolean>;
    try {
      delivered = outbox.deliver({ accountId: this.accountId, from: device.phoneNumber, to, at: clock.now() }, message);
    } catch {
      return Promise.resolve(notSent);
    }
    if (this.#followed.size > 0) delivered = this.#afterEvents(delivered, message, meaning);
    if (meaning === 'acknowledgement_lost') return delivered.then(toLostAcknowledgement, toUnknown);
    if (meaning === 'acknowledgement_slow') {
      const acknowledged = this.#slowAcknowledgement();
      return delivered.then(() => acknowledged, toUnknown);
    }
    return delivered.then(toAccepted, toUnknown);
  }

  async knows(number: string): Promise<boolean | null> {
    const device = this.#device;
    if (device === null) return null;
    const to = meaningOf(number) === 'answers_elsewhere' ? otherNumber(number) : number;
    return hasChat(this.#services.db, this.accountId, device.phoneNumber, to).catch(() => false);
  }

  async check(numbers: readonly string[]): Promise<Reachability[]> {
    if (this.#device === null) return numbers.map(() => ({ reachable: null, networkNumber: null }));
    return numbers.map(reachabilityOf);
  }

  async probe(): Promise<boolean> {
    const device = this.#device;
    if (device === null) return false;
    let linked: boolean;
    try {
      linked = (await findDevicePhone(this.#services.db, device.id, this.instanceId)) !== null;
    } catch {
      return false;
    }
    // The phone may have been unlinked by another process, which cannot notify this link.
    if (!linked) await this.devicesRemoved(new Set([device.id]));
    return linked && this.#device === device;
  }

  /** The sandbox asks for no passkeys. */
  async givePasskey(): Promise<PasskeyAnswer> {
    return 'not_asked';
  }

  async confirmPasskey(): Promise<boolean> {
    return false;
  }

  async requestPairingCode(phoneNumber: string): Promise<string | null> {
    await this.#work.ended();
    return this.#attempt?.typedCode(phoneNumber) ?? null;
  }

  /** Rejects when the store fails, and with LinkEnded. */
  async logout(): Promise<void> {
    if (this.#ended) {
      await this.#work.ended();
      if (this.#closedByItself) throw new LinkEnded();
      return;
    }
    this.#end();
    await this.#work.take(() => this.#forget());
  }

  async close(): Promise<void> {
    this.#end();
    await this.#work.ended();
  }

  /** Logs in with stored credentials, or else begins a pairing attempt. */
  async #start(): Promise<void> {
    if (this.#ended) return;
    const { credentials } = this.#context;
    let found: 'nothing' | 'unlinked' | 'failure' | { id: string; phoneNumber: string };
    try {
      const record = (await credentials.read([deviceRecord])).get(deviceRecord);
      if (record === undefined) found = 'nothing';
      else {
        const id = decodeDeviceId(record);
        const phoneNumber = await findDevicePhone(this.#services.db, id, this.instanceId);
        found = phoneNumber === null ? 'unlinked' : { id, phoneNumber };
      }
      if (found === 'unlinked' && !this.#ended) await credentials.clear();
    } catch {
      found = 'failure';
    }
    if (this.#ended) return;
    if (found === 'failure') this.#finish('lost');
    else if (found === 'unlinked') this.#finish('unlinked');
    else if (found === 'nothing') this.#beginPairing();
    else this.#opened(found);
  }

  #beginPairing(): void {
    this.#attempt = new PairingAttempt(this.#services.clock, {
      onCode: (shown) => this.#context.onEvent({ type: 'code', ...shown }),
      onExhausted: () => this.#finish('codes_exhausted'),
    });
    this.#attempt.begin();
  }

  async #pair(phoneNumber: string): Promise<void> {
    const { db, transaction, clock } = this.#services;
    const { accountId: account_id, instanceId: instance_id } = this;
    const device: Device = { id: newId(), account_id, instance_id, phone_number: phoneNumber, linked_at: clock.now() };
    try {
      await replaceDevice(transaction, device);
      await this.#context.credentials.write(new Map([[deviceRecord, encodeDevice(device)]]));
    } catch (error) {
      await removeDevice(db, this).catch(() => undefined);
      if (!this.#ended) this.#finish('lost');
      throw error;
    }
    if (!this.#ended) this.#opened({ id: device.id, phoneNumber });
  }

  #opened(device: { readonly id: string; readonly phoneNumber: string }): void {
    for (const other of this.#services.links) if (other !== this) other.loggedInElsewhere(device.id);
    this.#device = device;
    // An earlier process may have left more messages than are kept.
    this.#services.retention.look(this.accountId);
    this.#context.onEvent({ type: 'open', phoneNumber: device.phoneNumber });
  }

  /** Closes as unlinked. If the credentials cannot be deleted now, the next login finds that the device is gone and deletes them. */
  async #dropDevice(): Promise<void> {
    this.#device = null;
    let reason: CloseReason = 'unlinked';
    try {
      await this.#context.credentials.clear();
    } catch {
      reason = 'lost';
    }
    if (!this.#ended) this.#finish(reason);
  }

  async #forget(): Promise<void> {
    await removeDevice(this.#services.db, this);
    await this.#context.credentials.clear();
  }

  /** A send is acknowledged only after what becomes of it is stored, because the sandbox reports it once. */
  async #afterEvents(delivered: Promise<boolean>, { messageId }: OutgoingMessage, meaning: NumberMeaning): Promise<boolean> {
    const isFirst = await delivered;
    await this.#storeEvents(messageId, meaning === 'reads_at_once' ? ['delivered', 'read'] : ['delivered']);
    return isFirst;
  }

  async #storeEvents(messageId: string, events: readonly MessageEvent[]): Promise<void> {
    const wanted = events.filter((event) => this.#followed.has(event));
    if (wanted.length === 0) return;
    const at = this.#services.clock.now();
    await this.#context.storeEvents(wanted.map((event) => ({ event, messageId, at, sentHere: true })));
  }

  /** Resolves to `accepted` after three seconds, or to `unknown` when the link ends earlier. */
  #slowAcknowledgement(): Promise<SendOutcome> {
    return new Promise((resolve) => {
      const timer = this.#services.clock.after(slowAcknowledgementMs, () => {
        this.#slowAcknowledgements.delete(abandon);
        resolve(accepted);
      });
      const abandon = () => {
        timer.cancel();
        resolve(unknown);
      };
      this.#slowAcknowledgements.add(abandon);
    });
  }

  #finish(reason: CloseReason): void {
    this.#closedByItself = true;
    this.#end();
    this.#context.onEvent({ type: 'closed', reason });
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#device = null;
    this.#attempt?.stop();
    this.#attempt = null;
    for (const abandon of this.#slowAcknowledgements) abandon();
    this.#slowAcknowledgements.clear();
    this.#services.ended(this);
  }
}
