import { systemClock } from '../../../../core/index.ts';
import type { OutgoingMessage, Reachability, SendOutcome } from '../../../index.ts';
import { accountFacts, changeFacts } from './account-facts.ts';
import { Acks } from './acks.ts';
import { AppStateSync } from './app-state/app-state-sync.ts';
import { nctSalt, ownName } from './app-state/values.ts';
import { Composer } from './compose.ts';
import { HistorySync } from './history-sync/history-sync.ts';
import { IncomingStanzas } from './incoming.ts';
import { NewChatLimits, type NewChatLimitsOptions } from './new-chats/limits.ts';
import { type HandedOver, Outbox } from './outbox.ts';
import { nameOf, type Space, type Unreachable } from './people.ts';
import { type EventStore, MessageEvents } from './receipts/message-events.ts';
import { Receipts } from './receipts/receipts.ts';
import { Resending } from './receipts/resending.ts';
import type { KeptMessages } from './receipts/sent-messages.ts';
import { Recipients } from './recipients.ts';
import { Refusals } from './refused.ts';
import { Tctokens } from './tctoken.ts';
import { checkNumbers } from './usync.ts';

export interface SendingOptions extends NewChatLimitsOptions {
  /** Keeps every message, before it is sent, for devices that ask for it again. */
  readonly kept: KeptMessages;
  /** Where the events of messages are stored. */
  readonly events: EventStore;
  /** Overrides of the usual time limits. */
  readonly limits?: Partial<typeof usualLimits>;
}

/** In milliseconds. The session gives up after 30 s, so sending any later would be of no use to anyone. */
const usualLimits = {
  /** Until a message is written, including finding its recipient, uploading its file and waiting for its turn. */
  handOverMs: 20_000,
  /** From writing a message to its acknowledgement. */
  acknowledgementMs: 20_000,
  /** One query about numbers. */
  queryMs: 8_000,
  /** All queries of one check. */
  checkMs: 20_000,
  /** Before a message that a device asked for is sent to it a second time. The pause doubles with each time. */
  retryPauseMs: 500,
  /** After the first refusal because of a temporary fault; the second pause is twice as long. */
  refusalPauseMs: 750,
  /** A message is not tried again once this much time has passed since it was given. */
  triesMs: 15_000,
};

const notSent: SendOutcome = { outcome: 'not_sent' };
const unreachable: Readonly<Record<Unreachable, SendOutcome>> = {
  not_on_network: { outcome: 'refused', reason: 'The number is not on WhatsApp.' },
  no_device: {
    outcome: 'refused',
    reason: 'The number has no device on WhatsApp that could receive a message.',
    details: { reason: 'no_device' },
  },
};

/** Sends messages and checks numbers over one connection. Made when the connection is made and closed when it ends. */
export class Sending {
  readonly #options: SendingOptions;
  readonly #limits: typeof usualLimits;
  readonly #recipients: Recipients;
  readonly #tctokens: Tctokens;
  readonly #newChats: NewChatLimits;
  readonly #composer: Composer;
  readonly #outbox: Outbox;
  readonly #resending: Resending;
  /** In the order in which they are closed. */
  readonly #parts: readonly { opened?(): void; close(): void }[];
  /** By recipient (digits): resolves when the last message has had its turn. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(options: SendingOptions) {
    const { sock, kept } = options;
    this.#options = options;
    this.#limits = { ...usualLimits, ...options.limits };
    const recipients = new Recipients(options, this.#limits.queryMs);
    const acks = new Acks(sock.ws, this.#limits.acknowledgementMs);
    const tctokens = new Tctokens(options, recipients);
    const newChats = new NewChatLimits(options, tctokens);
    const composer = new Composer(options, recipients, tctokens);
    const outbox = new Outbox(options, { recipients, acks, kept, withinMs: this.#limits.handOverMs });
    const events = new MessageEvents(options.events, options.log);
    const resending = new Resending(options, { kept, recipients, tctokens, composer, outbox, events, pauseMs: this.#limits.retryPauseMs });
    const receipts = new Receipts(options, { kept, events, resending });
    const incoming = new IncomingStanzas(options, 'CB:message', [(node) => tctokens.received(node), (node) => newChats.received(node)]);
    const notifications = new IncomingStanzas(options, 'CB:notification', [(node) => tctokens.notified(node)]);
    const history = new HistorySync(options, tctokens);
    const values = [nctSalt, ownName].map((value) => new AppStateSync(options, value));
    this.#parts = [incoming, notifications, receipts, resending, events, outbox, acks, newChats, recipients, history, ...values, tctokens];
    [this.#recipients, this.#tctokens, this.#newChats, this.#composer] = [recipients, tctokens, newChats, composer];
    [this.#outbox, this.#resending] = [outbox, resending];
  }

  /** The connection is logged in. Nothing may be sent before this call. */
  opened(): void {
    for (const part of this.#parts) part.opened?.();
  }

  /** Ends all waits at once: messages already written end as `unknown`, the others as `not_sent`. */
  close(): void {
    for (const part of this.#parts) part.close();
  }

  /** Sends a message and waits, for a limited time, for its acknowledgement. Messages to one recipient go out in the order of the calls. Never rejects. */
  async send(message: OutgoingMessage): Promise<SendOutcome> {
    const previous = this.#turns.get(message.to);
    const passed = Promise.withResolvers<void>();
    const turn = Promise.all([previous, passed.promise]);
    this.#turns.set(message.to, turn);
    void turn.then(() => {
      if (this.#turns.get(message.to) === turn) this.#turns.delete(message.to);
    });
    try {
      return await this.#send(message, previous, passed.resolve);
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a message could not be prepared');
      return notSent;
    } finally {
      passed.resolve();
    }
  }

  /** Whether there is a chat with this number (digits). The network is not asked. Never rejects. */
  async knows(number: string): Promise<boolean> {
    return this.#newChats.knows(number, this.#nameOf(number));
  }

  /** One answer per number (digits), in order. Never rejects. */
  check(numbers: readonly string[]): Promise<Reachability[]> {
    const { queryMs, checkMs } = this.#limits;
    return checkNumbers(this.#options, numbers, { queryMs: Math.min(queryMs, 5_000), checkMs });
  }

  /** `passOn` gives the next message to the same recipient its turn. Rejects when nothing was handed over. */
  async #send(message: OutgoingMessage, previous: Promise<unknown> | undefined, passOn: () => void): Promise<SendOutcome> {
    const held = await this.#newChats.held(message.to, this.#nameOf(message.to));
    if (held !== null) return held;
    let hasArrived = false;
    try {
      const outcome = await this.#try(message, previous, passOn);
      hasArrived = outcome.outcome === 'accepted' || outcome.outcome === 'unknown';
      return outcome;
    } finally {
      if (!hasArrived) this.#drop(message);
    }
  }

  /** A message that nobody has received is not kept, unless an earlier try with its id may have arrived. */
  #drop({ messageId, mayHaveArrived }: OutgoingMessage): void {
    const { memory, kept } = this.#options;
    if (!mayHaveArrived && !memory.unacknowledged.has(messageId) && kept.isRemembered(messageId)) kept.drop(messageId);
  }

  /** Hands the message over until the network has accepted it, or refused it for good. */
  async #try(message: OutgoingMessage, previous: Promise<unknown> | undefined, passOn: () => void): Promise<SendOutcome> {
    const until = systemClock.monotonic() + this.#limits.triesMs;
    let refusals: Refusals | null = null;
    let result = await this.#outbox.handOver(this.#composer.compose(message), previous, passOn);
    for (;;) {
      if (result === null) return notSent;
      if (typeof result === 'string') return unreachable[result];
      const { ready } = result;
      const outcome = await this.#settle(message, result, refusals?.space ?? null);
      if (typeof outcome !== 'string') return outcome;
      refusals ??= new Refusals(this.#options, message, {
        recipients: this.#recipients,
        newChats: this.#newChats,
        pauseMs: this.#limits.refusalPauseMs,
        until,
      });
      const final = await refusals.outcome(ready.recipient, outcome);
      if (final !== null) return final;
      // With the same id: in the other namespace, or encrypted anew for the recipient's current devices.
      const again =
        refusals.space === null
          ? this.#composer.address(message.messageId, this.#recipients.find(message.to), () => ready.message)
          : this.#composer.compose(message, refusals.space);
      result = await this.#outbox.handOver(again);
    }
  }

  /** The outcome of a message that was handed over, or the code with which it was refused. `space`: the namespace after the other one was refused. */
  async #settle({ messageId, to }: OutgoingMessage, { ready, ack }: HandedOver, space: Space | null): Promise<SendOutcome | string> {
    const { memory } = this.#options;
    const { recipient, own } = ready;
    const answer = ack === null ? null : await ack;
    if (answer === 'none') {
      memory.unacknowledged.set(messageId, messageId);
      return { outcome: 'unknown' };
    }
    if (answer?.phash) this.#resending.missed(messageId, recipient.jid, [...recipient.devices, ...own]);
    if (answer?.refreshLid) this.#recipients.refreshLid(to, recipient.person);
    if (answer?.code === null) {
      this.#tctokens.issue(recipient.person);
      if (space !== null) this.#learnSpace(space);
      this.#newChats.accepted(to, recipient);
      return { outcome: 'accepted', providerStatus: 'SERVER_ACK' };
    }
    return answer === null ? notSent : answer.code;
  }

  /** A message that was accepted in one namespace after it was refused in the other shows in which one the next ones start. */
  #learnSpace(space: Space): void {
    const { sock } = this.#options;
    const migrated = space === 'lid';
    if (accountFacts(sock.authState.creds).migrated !== migrated) changeFacts(sock, { migrated });
  }

  #nameOf(number: string): string | undefined {
    const person = this.#options.memory.people.get(number);
    return person && nameOf(person);
  }
}
