import { proto } from 'baileys';
import { systemClock } from '../../../../core/index.ts';
import { BatchEncryption } from '../library/batch-encryption.ts';
import type { Ack, Acks } from './acks.ts';
import type { Wire } from './link-memory.ts';
import { type Device, deviceOf, type Unreachable } from './people.ts';
import type { KeptMessages } from './receipts/sent-messages.ts';
import type { Recipients } from './recipients.ts';
import { type Copy, messageStanza, type Ready } from './stanza.ts';

export interface HandedOver {
  readonly ready: Ready;
  /** The acknowledgement to come; null when the message was not written. */
  readonly ack: Promise<Ack> | null;
}

interface Waiting {
  ready: Ready;
  /** Settles it. Only the first call counts. */
  readonly resolve: (handedOver: HandedOver) => void;
  /** Whether its sender has stopped waiting. */
  isOver: boolean;
  attempts: number;
}

interface Encrypted {
  readonly copies: readonly Copy[];
  /** Devices without a SignalSession. */
  readonly missing: readonly Device[];
}

interface OutboxOptions {
  readonly recipients: Recipients;
  readonly acks: Acks;
  readonly kept: KeptMessages;
  /** Until a message is written, in milliseconds. */
  readonly withinMs: number;
}

/** The most messages that are encrypted before the first of them is written. */
const batchSize = 32;

/**
 * Encrypts and writes messages in the order in which they are given, all waiting ones together. Their SignalRecords are stored in one write, because
 * one write per message would limit a number's throughput.
 */
export class Outbox {
  readonly #wire: Wire;
  readonly #options: OutboxOptions;
  readonly #waiting: Waiting[] = [];
  readonly #endings = new Set<() => void>();
  #running = false;
  #closed = false;

  constructor(wire: Wire, options: OutboxOptions) {
    this.#wire = wire;
    this.#options = options;
  }

  /**
   * Sends a message when it is ready and the previous one has had its turn; `passOn` is called when this one has had its own. null when it did not
   * get its turn in time and will not be sent. Rejects when the message could not be prepared.
   */
  async handOver(
    preparing: Promise<Ready | Unreachable>,
    previous?: Promise<unknown>,
    passOn?: () => void,
  ): Promise<HandedOver | Unreachable | null> {
    // A message that can no longer be written may still fail to be prepared: unhandled, that would end the thread.
    preparing.catch(() => undefined);
    if (this.#closed) return null;
    const { promise, resolve, reject } = Promise.withResolvers<HandedOver | Unreachable | null>();
    let waiting: Waiting | null = null;
    let isOver = false;
    // A message that was written in this very turn is not given up.
    const end = () => {
      isOver = true;
      if (waiting === null) return resolve(null);
      waiting.isOver = true;
      waiting.resolve({ ready: waiting.ready, ack: null });
    };
    this.#endings.add(end);
    const timer = systemClock.after(this.#options.withinMs, end);
    Promise.all([preparing, previous]).then(([ready]) => {
      if (typeof ready === 'string') return resolve(ready);
      if (isOver) return;
      waiting = { ready, resolve, isOver: false, attempts: 0 };
      this.#waiting.push(waiting);
      if (!this.#running) void this.#run();
      passOn?.();
    }, reject);
    try {
      return await promise;
    } finally {
      timer.cancel();
      this.#endings.delete(end);
    }
  }

  /** Ends all waits at once. Nothing is written any more. */
  close(): void {
    this.#closed = true;
    for (const end of this.#endings) end();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      // Messages of the same turn join the batch.
      await Promise.resolve();
      await this.#send(this.#waiting.splice(0, batchSize).filter((waiting) => !waiting.isOver));
    }
    this.#running = false;
  }

  async #send(given: readonly Waiting[]): Promise<void> {
    // Kept before the SignalRecords are stored, so that the message is stored with them.
    const batch = given.filter((waiting) => this.#isKept(waiting));
    if (batch.length === 0) return;
    try {
      const encrypted = await this.#encrypt(batch);
      const again: Waiting[] = [];
      const missing: Device[] = [];
      for (const [waiting, result] of encrypted) {
        if (waiting.isOver) continue;
        // For a device that has asked again, whoever answers it decides whether its keys may be fetched.
        const isAnswer = typeof waiting.ready.audience !== 'string';
        if (result.missing.length > 0 && !isAnswer && waiting.attempts++ === 0) {
          again.push(waiting);
          missing.push(...result.missing);
        } else this.#write(waiting, result);
      }
      if (again.length === 0) return;
      await this.#startSessions(missing);
      for (const waiting of again) waiting.ready = await this.#readdressed(waiting.ready, missing);
      this.#waiting.unshift(...again);
    } catch (error) {
      this.#wire.log.warn({ err: error }, 'messages could not be encrypted');
      for (const { ready, resolve } of batch) resolve({ ready, ack: null });
    }
  }

  /** Keeps the message where it must be kept. False when it cannot be encoded; then it is over, and those with it go on. */
  #isKept({ ready, resolve }: Waiting): boolean {
    try {
      if (ready.audience === 'all') this.#keep(ready);
      return true;
    } catch (error) {
      this.#wire.log.warn({ err: error }, 'a message could not be encoded');
      resolve({ ready, ack: null });
      return false;
    }
  }

  #keep({ id, recipient: { jid, space, person, devices }, message }: Ready): void {
    const alias = (space === 'lid' ? person.pn : person.lid) ?? jid;
    this.#options.kept.keep(id, { to: jid, alias, devices: devices.map((device) => deviceOf(device.jid)), message });
  }

  /**
   * Encrypts a batch of messages in order. The SignalRecords are read once and written once, and this resolves when they are stored. The key of a
   * message that has been sent is therefore never used again, even after a crash. Rejects when they cannot be read or stored; then none of the
   * messages may be sent.
   */
  #encrypt(batch: readonly Waiting[]): Promise<Map<Waiting, Encrypted>> {
    const { sock, memory } = this.#wire;
    const { keys, creds } = sock.authState;
    const work = async () => {
      const devices = batch.flatMap(({ ready }) => [...ready.recipient.devices, ...ready.own]);
      const encryption = new BatchEncryption(await keys.get('session', [...new Set(devices.map(({ address }) => address))]), creds);
      const encrypted = new Map<Waiting, Encrypted>();
      for (const waiting of batch) encrypted.set(waiting, await encryptFor(waiting.ready, encryption));
      const changed = encryption.changed();
      if (Object.keys(changed).length > 0) await keys.set({ session: changed });
      return encrypted;
    };
    // The transaction is used only as a lock against Baileys' own answers to retry requests. Writes inside it would be stored only after it ends, when
    // the next in turn may have read already, so the work runs outside it.
    return keys.transaction(() => memory.outsideTransactions(() => memory.signalSessionMutex.take(work)), sock.user?.id ?? 'sending');
  }

  /** Starts the missing SignalSessions. Devices that still have none are left out. */
  async #startSessions(missing: readonly Device[]): Promise<void> {
    try {
      await this.#options.recipients.startSessions([...new Set(missing.map(({ jid }) => jid))]);
    } catch (error) {
      this.#wire.log.warn({ err: error }, 'sessions could not be renewed');
    }
  }

  /** A SignalSession may have moved to the LID after the message was prepared, or may just have been started there. */
  async #readdressed(ready: Ready, missing: readonly Device[]): Promise<Ready> {
    const found = new Map<Device, Device>();
    for (const device of new Set(missing)) found.set(device, await this.#options.recipients.device(device.jid));
    const now = (devices: readonly Device[]) => devices.map((device) => found.get(device) ?? device);
    return { ...ready, recipient: { ...ready.recipient, devices: now(ready.recipient.devices) }, own: now(ready.own) };
  }

  /** Writes a message if at least one device of the recipient can read it. Devices that gave no keys get no copy, as with the network's own apps. */
  #write({ ready, resolve }: Waiting, { copies, missing }: Encrypted): void {
    const { sock, log } = this.#wire;
    const { id, recipient, audience } = ready;
    if (missing.length > 0) log.warn({ devices: missing.length }, 'a message leaves out devices that gave no keys');
    const isReadable = copies.some(({ device }) => audience !== 'all' || recipient.devices.includes(device));
    if (!isReadable || !sock.ws.isOpen) {
      resolve({ ready, ack: null });
      return;
    }
    const stanza = messageStanza(ready, copies, sock.authState.creds.account);
    const ack = this.#options.acks.of(id, typeof audience === 'string' ? recipient.jid : audience.device);
    try {
      // Written in this turn, so that stanzas keep their order. If it fails later, the message may already have been sent.
      sock.sendNode(stanza).catch((error: unknown) => log.warn({ err: error }, 'a message may not have been written'));
      resolve({ ready, ack });
    } catch (error) {
      log.warn({ err: error }, 'a message could not be written');
      resolve({ ready, ack: null });
    }
  }
}

/** The recipient gets the message itself; the sender's own devices get a copy that names the chat. */
async function encryptFor({ recipient, own, message: { message } }: Ready, encryption: BatchEncryption): Promise<Encrypted> {
  const copies: Copy[] = [];
  const missing: Device[] = [];
  const encrypt = async (devices: readonly Device[], content: proto.IMessage) => {
    if (devices.length === 0) return;
    const plaintext = padded(content);
    for (const device of devices) {
      const ciphertext = await encryption.encrypt(device.address, plaintext);
      if (ciphertext === null) missing.push(device);
      else copies.push({ device, ciphertext });
    }
  };
  const { messageContextInfo } = message;
  await encrypt(
    recipient.devices.filter((device) => !own.includes(device)),
    message,
  );
  await encrypt(own, {
    deviceSentMessage: { destinationJid: recipient.jid, message },
    ...(messageContextInfo == null ? {} : { messageContextInfo }),
  });
  return { copies, missing };
}

/** The encoded message with the padding that the protocol requires. */
function padded(message: proto.IMessage): Buffer {
  const bytes = proto.Message.encode(message).finish();
  const padding = 1 + Math.floor(Math.random() * 16);
  const buffer = Buffer.allocUnsafe(bytes.length + padding);
  buffer.set(bytes);
  buffer.fill(padding, bytes.length);
  return buffer;
}
