import { areJidsSameUser } from 'baileys';
import type { Ack } from '../acks.ts';
import type { Composer } from '../compose.ts';
import type { Answers, Missed, Wire } from '../link-memory.ts';
import type { HandedOver, Outbox } from '../outbox.ts';
import { type Device, deviceOf, personOf, type Recipient, spaceOf, type Unreachable } from '../people.ts';
import type { Recipients } from '../recipients.ts';
import type { Ready } from '../stanza.ts';
import type { Tctokens } from '../tctoken.ts';
import type { MessageEvents } from './message-events.ts';
import { type Resent, Retries } from './retries.ts';
import { type RetryRequest, renewSession } from './retry-receipt.ts';
import type { KeptMessages, SentMessage } from './sent-messages.ts';

/** A device that asks more often than this has a problem that repeating cannot solve. */
const mostCount = 4;

interface ResendingOptions {
  readonly kept: KeptMessages;
  readonly recipients: Recipients;
  readonly tctokens: Tctokens;
  readonly composer: Composer;
  readonly outbox: Outbox;
  readonly events: MessageEvents;
  /** The pause before a message is sent to a device a second time, in milliseconds. It doubles with each time. */
  readonly pauseMs: number;
}

/** Sends messages that were accepted before to devices that could not read them or did not get them, with the same id. */
export class Resending {
  readonly #wire: Wire;
  readonly #options: ResendingOptions;
  readonly #retries: Retries;

  constructor(wire: Wire, options: ResendingOptions) {
    this.#wire = wire;
    this.#options = options;
    this.#retries = new Retries(wire, {
      pauseMs: options.pauseMs,
      resend: (id) => this.#resend(id),
      onLost: (id, device) => void this.#lostAtLast(id, device),
    });
  }

  /** The connection is logged in. Continues what earlier connections could not finish. */
  opened(): void {
    this.#retries.opened();
    for (const missed of this.#wire.memory.missed.values()) if (!missed.underWay) void this.#complete(missed);
  }

  close(): void {
    this.#retries.close();
  }

  /**
   * Sends a message again to a device that could not read it. Devices that it was not meant for get nothing. False when it could not be read or
   * prepared: then it is sent to all devices of the recipient, and the network must repeat the receipt in case that is not done before the end of
   * this process.
   */
  async answer(request: RetryRequest): Promise<boolean> {
    const { kept, events } = this.#options;
    const { id, device: jid } = request;
    const isRefused = request.count > mostCount;
    if (isRefused && !events.wants('lost')) return true;
    try {
      const sent = await kept.recall(id);
      if (sent === undefined) {
        if (!isRefused) this.#wire.log.warn({}, `message ${id} was asked for again and is no longer kept`);
        await this.#lost(id, jid, false);
        return true;
      }
      const isOwn = this.isOwn(jid);
      if (!isOwn && !(await this.#isRecipient(sent, jid))) return true;
      const answers = this.#answersTo(request);
      if (isRefused || answers.written >= mostCount) await this.#lost(id, jid, true);
      else await this.#sendAgain(request, answers, sent, isOwn);
      return true;
    } catch (error) {
      this.#wire.log.warn({ err: error }, 'a message that was asked for again could not be prepared');
      if (!isRefused) this.#retries.answered(id, jid, Promise.resolve('none'));
      return false;
    }
  }

  async #sendAgain(request: RetryRequest, answers: Answers, sent: SentMessage, isOwn: boolean): Promise<void> {
    const { recipients, tctokens, outbox } = this.#options;
    const { id, device: jid } = request;
    // Counted before it is written, because the device may ask several times at once.
    const count = Math.max(request.count, ++answers.written);
    let isWritten = false;
    try {
      // SignalRecords are stored under the LID where one is known.
      if (!(await renewSession(this.#wire, request, count, (await this.#lidOf(jid)) ?? jid))) return;
      const device = await recipients.device(jid);
      const person = personOf(sent.to, sent.alias);
      const recipient: Recipient = { jid: sent.to, space: spaceOf(sent.to), person, devices: isOwn ? [] : [device] };
      const token = isOwn ? null : await tctokens.nodeFor(person);
      const ready: Ready = { id, recipient, own: isOwn ? [device] : [], message: sent.message, token, audience: request };
      const result = await outbox.handOver(Promise.resolve(ready));
      isWritten = typeof result !== 'string' && result?.ack != null;
      this.#retries.answered(id, jid, ackOf(result));
    } finally {
      if (!isWritten) answers.written--;
    }
  }

  /** The answers to this device's requests for this message. Its own count may start again from 1. */
  #answersTo({ id, device }: RetryRequest): Answers {
    const { answers } = this.#wire.memory;
    const name = `${id} ${device}`;
    const before = answers.get(name) ?? { written: 0 };
    answers.set(name, before);
    return before;
  }

  /**
   * The acknowledgement of this message has a `phash`: the network knows other devices than `had`, those that it was sent to. The list is fetched
   * again, and devices that are new on it get the message.
   */
  missed(id: string, to: string, had: readonly Device[]): void {
    const missed: Missed = { id, to, had: had.map(({ address }) => address), underWay: false };
    this.#wire.memory.missed.set(id, missed);
    void this.#complete(missed);
  }

  /** Whether this device belongs to the number's own account. */
  isOwn(device: string): boolean {
    const { id, lid } = this.#wire.sock.authState.creds.me ?? {};
    return areJidsSameUser(device, id) || areJidsSameUser(device, lid);
  }

  async #complete(missed: Missed): Promise<void> {
    const { recipients } = this.#options;
    const { memory, log } = this.#wire;
    const { id, to } = missed;
    missed.underWay = true;
    try {
      await recipients.forget(await recipients.person(to));
      await recipients.forget(recipients.me);
      if (await this.#sendToOthers(id, to, new Set(missed.had))) memory.missed.delete(id);
    } catch (error) {
      log.warn({ err: error }, 'the devices of a recipient could not be looked up again');
    } finally {
      missed.underWay = false;
    }
  }

  /** Sends a message to the devices that have not got it; false when it may not have arrived. */
  async #sendToOthers(id: string, to: string, had: ReadonlySet<string>): Promise<boolean> {
    const { kept, recipients, composer, outbox } = this.#options;
    const sent = await kept.recall(id);
    if (sent === undefined) return true;
    const whole = await composer.address(id, recipients.user(to), () => sent.message);
    if (typeof whole === 'string') return true;
    const others = (devices: readonly Device[]) => devices.filter(({ address }) => !had.has(address));
    const recipient = { ...whole.recipient, devices: others(whole.recipient.devices) };
    const part: Ready = { ...whole, recipient, own: others(whole.own), audience: 'missed' };
    if (part.own.length + recipient.devices.length === 0) return true;
    const further = recipient.devices.map(({ jid }) => deviceOf(jid));
    if (further.length > 0) kept.keepFor(id, sent, further);
    return (await ackOf(await outbox.handOver(Promise.resolve(part)))) !== 'none';
  }

  async #resend(id: string): Promise<Resent> {
    const { kept, recipients, composer, outbox } = this.#options;
    try {
      const sent = await kept.recall(id);
      if (sent === undefined) return 'forgotten';
      await recipients.forget(await recipients.person(sent.to));
      return await ackOf(await outbox.handOver(composer.address(id, recipients.user(sent.to), () => sent.message)));
    } catch (error) {
      this.#wire.log.warn({ err: error }, 'a message could not be prepared again');
      return 'none';
    }
  }

  /** A device of the recipient will not get the message. False when the connection has ended before that was stored. Never rejects. */
  async #lost(messageId: string, device: string, sentHere: boolean): Promise<boolean> {
    const { events } = this.#options;
    if (!events.wants('lost') || this.isOwn(device)) return true;
    return events.store([{ event: 'lost', messageId, at: null, sentHere }]);
  }

  /** The same when its retries have failed, which no receipt that comes again would report. */
  async #lostAtLast(messageId: string, device: string): Promise<void> {
    // Who asks while the store is away may name a message that was never sent here.
    const sent = await this.#options.kept.recall(messageId).catch(() => undefined);
    const stored = await this.#lost(messageId, device, sent !== undefined);
    if (!stored) this.#wire.log.error({}, `the loss of message ${messageId} could not be reported`);
  }

  /** The LID of a device; null when none is known. */
  #lidOf(device: string): Promise<string | null> {
    return this.#wire.sock.signalRepository.lidMapping.getLIDForPN(device);
  }

  async #isRecipient({ to, alias }: SentMessage, device: string): Promise<boolean> {
    const { lidMapping } = this.#wire.sock.signalRepository;
    const names = [device, await this.#lidOf(device), await lidMapping.getPNForLID(device)];
    return names.some((name) => name !== null && (areJidsSameUser(name, to) || areJidsSameUser(name, alias)));
  }
}

async function ackOf(result: HandedOver | Unreachable | null): Promise<Ack> {
  if (result === null || typeof result === 'string') return 'none';
  return result.ack ?? 'none';
}
