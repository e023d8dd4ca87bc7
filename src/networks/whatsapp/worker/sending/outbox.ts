import type { BinaryNode } from 'baileys';
import type { WhatsAppMessage } from '../encoding/encoded-message.ts';
import type { Acknowledgement, Acknowledgements } from './acks.ts';
import { encoded, type Sealed, seal } from './encrypt.ts';
import { deviceOf } from './jids.ts';
import type { LinkMemory } from './link-memory.ts';
import { jidIn } from './people.ts';
import type { KeptMessages } from './receipts/kept-messages.ts';
import type { Device, Recipient, Recipients, Unreachable } from './recipients.ts';
import type { SendingLog, SendingSocket } from './socket.ts';
import { type Audience, messageStanza } from './stanza.ts';

/** A message with everything that is needed to encrypt and write it. */
export interface Ready {
  readonly id: string;
  readonly recipient: Recipient;
  /** The sender's other devices, which show sent messages too. */
  readonly own: readonly Device[];
  readonly message: WhatsAppMessage;
  /** By which the network sees that the two know each other; null when there is none. */
  readonly token: BinaryNode | null;
  readonly audience: Audience;
}

/** Looks up the devices and the token for a message; `messageFor` makes it once its recipient is known. */
export type Prepare = (
  id: string,
  finding: Promise<Recipient | Unreachable>,
  messageFor: (recipient: Recipient) => WhatsAppMessage | Promise<WhatsAppMessage>,
) => Promise<Ready | Unreachable>;

/** The result: written, with the acknowledgement to come, or not written at all. */
export type Written = { readonly acknowledgement: Promise<Acknowledgement> } | 'not_written';

interface Waiting {
  readonly ready: Ready;
  readonly settle: (written: Written) => void;
  /** Set when its sender has stopped waiting. */
  abandoned: boolean;
  attempts: number;
}

interface OutboxOptions {
  readonly sock: SendingSocket;
  readonly memory: LinkMemory;
  readonly recipients: Recipients;
  readonly acknowledgements: Acknowledgements;
  readonly log: SendingLog;
  readonly kept: KeptMessages;
}

/** The most messages that are encrypted before the first of them is written. */
const batchSize = 32;

/**
 * Sends messages in the order in which they are given, all waiting ones together. Their SignalRecords are stored in one write, because one write per
 * message would limit a number's throughput.
 */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #waiting: Waiting[] = [];
  #running = false;
  #closed = false;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Adds a message; `abandon` prevents its sending if it has not been written yet. */
  put(ready: Ready): { readonly written: Promise<Written>; abandon(): void } {
    const { promise, resolve } = Promise.withResolvers<Written>();
    const waiting: Waiting = { ready, settle: resolve, abandoned: false, attempts: 0 };
    const abandon = () => {
      waiting.abandoned = true;
      resolve('not_written');
    };
    if (this.#closed) abandon();
    else this.#waiting.push(waiting);
    if (!this.#running) void this.#run();
    return { written: promise, abandon };
  }

  /** Nothing is written any more. */
  close(): void {
    this.#closed = true;
    for (const waiting of this.#waiting.splice(0)) waiting.settle('not_written');
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      // Messages of the same turn join the batch.
      await Promise.resolve();
      await this.#send(this.#waiting.splice(0, batchSize).filter(({ abandoned }) => !abandoned));
    }
    this.#running = false;
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const { sock, memory, log } = this.#options;
    for (const { ready } of batch) this.#keep(ready);
    try {
      const sealed = await seal(
        sock,
        memory,
        batch.map(({ ready }) => plainOf(ready)),
      );
      const again: Waiting[] = [];
      for (const [place, waiting] of batch.entries()) {
        const result = sealed[place];
        if (result === undefined || waiting.abandoned || this.#closed) waiting.settle('not_written');
        else if (result.missing.length > 0 && waiting.attempts++ === 0) again.push(waiting);
        else this.#writeIfReachable(waiting, result);
      }
      if (again.length > 0) await this.#renew(again, sealed);
    } catch (error) {
      log.warn({ err: error }, 'messages could not be encrypted');
      for (const waiting of batch) waiting.settle('not_written');
    }
  }

  /** Called before the SignalRecords are stored, so that the message is stored with them. */
  #keep({ id, recipient: { jid, space, person, devices }, message, audience }: Ready): void {
    if (audience !== 'all') return;
    const alias = jidIn(space === 'lid' ? 'pn' : 'lid', person) ?? jid;
    this.#options.kept.keep(id, { to: jid, alias, devices: devices.map((device) => deviceOf(device.jid)), message });
  }

  /** Starts the missing SignalSessions and puts the messages first in line. Devices that still have none are left out. */
  async #renew(again: readonly Waiting[], sealed: readonly Sealed[]): Promise<void> {
    const missing = new Map(sealed.flatMap((result) => result.missing.map((device) => [device.jid, device] as const)));
    try {
      await this.#options.recipients.renew([...missing.values()]);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'sessions could not be renewed');
    }
    if (this.#closed) for (const waiting of again) waiting.settle('not_written');
    else this.#waiting.unshift(...again);
  }

  /** Writes a message if at least one device of the recipient can read it. Devices that gave no keys get no copy, as with the network's own apps. */
  #writeIfReachable(waiting: Waiting, sealed: Sealed): void {
    const { log } = this.#options;
    if (sealed.missing.length > 0) log.warn({ devices: sealed.missing.length }, 'a message leaves out devices that gave no keys');
    if (reachesRecipient(waiting.ready, sealed)) this.#write(waiting, sealed);
    else waiting.settle('not_written');
  }

  #write({ ready, settle }: Waiting, sealed: Sealed): void {
    const { sock, acknowledgements, log } = this.#options;
    const { id, recipient, message, audience, token } = ready;
    if (!sock.ws.isOpen) {
      settle('not_written');
      return;
    }
    const { account } = sock.authState.creds;
    const stanza = messageStanza({ id, to: recipient, encoded: message, sealed, audience, account, token });
    const acknowledgement = acknowledgements.of(id, typeof audience === 'string' ? recipient.jid : audience.device);
    try {
      // If this fails later, the message may already have been sent.
      writeNow(sock, stanza, (error) => log.warn({ err: error }, 'a message may not have been written'));
    } catch (error) {
      log.warn({ err: error }, 'a message could not be written');
      settle('not_written');
      return;
    }
    settle({ acknowledgement });
  }
}

/** Writes a stanza in this turn, so that stanzas keep their order. Throws when it cannot be encoded. */
function writeNow(sock: SendingSocket, stanza: BinaryNode, onFailure: (error: unknown) => void): void {
  sock.sendNode(stanza).catch(onFailure);
}

/** The recipient gets the message itself; the sender's own devices get a copy that names the chat. */
function plainOf({ recipient, own, message: { message } }: Ready) {
  const forOthers = recipient.devices.filter((device) => !own.includes(device));
  const copy = {
    deviceSentMessage: { destinationJid: recipient.jid, message },
    ...(message.messageContextInfo == null ? {} : { messageContextInfo: message.messageContextInfo }),
  };
  return {
    parts: [
      { devices: forOthers, bytes: forOthers.length === 0 ? Buffer.alloc(0) : encoded(message) },
      { devices: own, bytes: own.length === 0 ? Buffer.alloc(0) : encoded(copy) },
    ],
  };
}

/** Whether at least one device of the recipient can read it. */
function reachesRecipient({ recipient, audience }: Ready, { parts }: Sealed): boolean {
  if (audience !== 'all') return parts.length > 0;
  return parts.some(({ device }) => recipient.devices.includes(device));
}
