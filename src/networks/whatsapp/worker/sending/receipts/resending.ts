import { areJidsSameUser } from 'baileys';
import type { Acknowledgement } from '../acks.ts';
import type { HandedOver, HandOver } from '../hand-over.ts';
import type { LinkMemory } from '../link-memory.ts';
import type { Prepare, Ready } from '../outbox.ts';
import { personOf, spaceOf } from '../people.ts';
import type { Device, Recipient, Recipients } from '../recipients.ts';
import type { SendingLog, SendingSocket } from '../socket.ts';
import type { ContactTokens } from '../tctoken.ts';
import type { KeptMessages } from './kept-messages.ts';
import type { MessageTeller } from './message-events.ts';
import { MissedDevices } from './missed-devices.ts';
import { Receipts } from './receipts.ts';
import { type Repeated, Repetitions } from './retries.ts';
import type { Asked } from './retry-receipt.ts';
import type { SentMessage } from './sent-messages.ts';
import { SignalSessionRenewal } from './session-renewal.ts';

/** A device that asks more often than this has a problem that repeating cannot solve. */
const mostCount = 4;

interface ResendingOptions {
  readonly sock: SendingSocket;
  readonly memory: LinkMemory;
  readonly log: SendingLog;
  readonly kept: KeptMessages;
  readonly recipients: Recipients;
  readonly tokens: ContactTokens;
  readonly handOver: HandOver;
  readonly prepare: Prepare;
  readonly teller: MessageTeller;
  /** The pause before a message is sent to a device a second time, in milliseconds. It doubles with each time. */
  readonly pauseMs: number;
}

/** Sends messages that were accepted before to devices that could not read them or did not get them, with the same id. */
export class Resending {
  readonly #options: ResendingOptions;
  readonly #receipts: Receipts;
  readonly #repetitions: Repetitions;
  readonly #missedDevices: MissedDevices;
  readonly #renewal: SignalSessionRenewal;

  constructor(options: ResendingOptions) {
    this.#options = options;
    const { sock, memory, log, kept, recipients, teller, pauseMs } = options;
    this.#repetitions = new Repetitions({
      ...{ ws: sock.ws, wanted: memory.wanted, log, pauseMs },
      sendAgain: (id) => this.#sendAgain(id),
      lost: (id, device) => void this.#lostAtLast(id, device),
    });
    this.#receipts = new Receipts({
      ...{ sock, kept, log, teller },
      isOwn: (device) => this.#isOwnUser(device),
      answer: (asked) => this.#answer(asked),
    });
    this.#renewal = new SignalSessionRenewal({ sock, memory, log });
    this.#missedDevices = new MissedDevices({
      missed: memory.missed,
      recipients,
      log,
      sendTo: (id, to, addresses) => this.#sendTo(id, to, addresses),
    });
  }

  /** The connection is logged in. Continues what earlier connections could not finish. */
  opened(): void {
    this.#repetitions.opened();
    this.#missedDevices.opened();
  }

  /** The acknowledgement of this message says that there are further devices; `had` are those that it was sent to. */
  missed(id: string, to: string, had: readonly Device[]): void {
    this.#missedDevices.told(
      id,
      to,
      had.map(({ address }) => address),
    );
  }

  close(): void {
    this.#receipts.close();
    this.#repetitions.close();
  }

  async #sendAgain(id: string): Promise<Repeated> {
    const { kept, recipients, handOver, prepare, log } = this.#options;
    try {
      const sent = await kept.recall(id);
      if (sent === undefined) return 'forgotten';
      await recipients.forget(await recipients.person(sent.to));
      const result = await handOver.take(prepare(id, recipients.user(sent.to), () => sent.message));
      return await acknowledged(result);
    } catch (error) {
      log.warn({ err: error }, 'a message could not be prepared again');
      return 'none';
    }
  }

  /**
   * Sends a message again to a device that could not read it. Devices that it was not meant for get nothing. Rejects when nothing was handed over.
   */
  async #answer(asked: Asked): Promise<void> {
    if (asked.count > mostCount) {
      await this.#refuse(asked);
      return;
    }
    const { kept, recipients, tokens, handOver, log } = this.#options;
    const sent = await kept.recall(asked.id);
    if (sent === undefined) {
      log.warn({}, `message ${asked.id} was asked for again and is no longer kept`);
      await this.#lost(asked.id, asked.device, false);
      return;
    }
    const isOwn = this.#isOwnUser(asked.device);
    if (!isOwn && !(await this.#isRecipient(sent, asked.device))) return;
    // SignalRecords are stored under the LID where one is known.
    await this.#renewal.prepare(asked, (await this.#lidOf(asked.device)) ?? asked.device);
    const device = await recipients.device(asked.device);
    const person = personOf(sent.to, sent.alias);
    const recipient: Recipient = { jid: sent.to, space: spaceOf(sent.to), person, devices: isOwn ? [] : [device] };
    const token = isOwn ? null : await tokens.of(recipient);
    const again: Ready = { id: asked.id, recipient, own: isOwn ? [device] : [], message: sent.message, token, audience: asked };
    const result = await handOver.take(Promise.resolve(again));
    this.#repetitions.answered(asked.id, asked.device, acknowledged(result));
  }

  /** The device has asked too often. */
  async #refuse({ id, device }: Asked): Promise<void> {
    if (!this.#options.teller.wants('lost')) return;
    const sent = await this.#options.kept.recall(id);
    if (sent === undefined || (await this.#isRecipient(sent, device))) await this.#lost(id, device, sent !== undefined);
  }

  /** A device of the recipient will not get the message. False when the connection has ended before that was stored. Never rejects. */
  async #lost(messageId: string, device: string, sentHere: boolean): Promise<boolean> {
    const { teller } = this.#options;
    if (!teller.wants('lost') || this.#isOwnUser(device)) return true;
    return teller.tell([{ event: 'lost', messageId, at: null, sentHere }]);
  }

  /** The same when its repetitions have failed, which no receipt that comes again would tell. */
  async #lostAtLast(messageId: string, device: string): Promise<void> {
    const stored = await this.#lost(messageId, device, true);
    if (!stored) this.#options.log.error({}, `the loss of message ${messageId} could not be reported`);
  }

  /** Sends a message to devices that did not get it at first. */
  async #sendTo(id: string, to: string, addresses: ReadonlySet<string>): Promise<boolean> {
    const { kept, recipients, handOver, prepare } = this.#options;
    const sent = await kept.recall(id);
    if (sent === undefined) return true;
    const missing = (devices: readonly Device[]) => devices.filter(({ address }) => addresses.has(address));
    const whole = await prepare(id, recipients.user(to), () => sent.message);
    if (typeof whole === 'string') return true;
    const recipient = { ...whole.recipient, devices: missing(whole.recipient.devices) };
    const part: Ready = { ...whole, recipient, own: missing(whole.own), audience: 'missed' };
    return (await acknowledged(await handOver.take(Promise.resolve(part)))) !== 'none';
  }

  /** The LID of a device; null when none is known. */
  #lidOf(device: string): Promise<string | null> {
    return this.#options.sock.signalRepository.lidMapping.getLIDForPN(device);
  }

  #isOwnUser(device: string): boolean {
    const { id, lid } = this.#options.sock.authState.creds.me ?? {};
    return areJidsSameUser(device, id) || areJidsSameUser(device, lid);
  }

  async #isRecipient({ to, alias }: SentMessage, device: string): Promise<boolean> {
    const { lidMapping } = this.#options.sock.signalRepository;
    const names = [device, await this.#lidOf(device), await lidMapping.getPNForLID(device)];
    return names.some((name) => name !== null && (areJidsSameUser(name, to) || areJidsSameUser(name, alias)));
  }
}

async function acknowledged(result: HandedOver): Promise<Acknowledgement> {
  if (result === null || typeof result === 'string' || result.written === 'not_written') return 'none';
  return result.written.acknowledgement;
}
