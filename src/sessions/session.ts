import type { Act, Actor } from '../audit/index.ts';
import { OwnershipLost, withTimeout } from '../core/index.ts';
import type { Link, Network, NewChats, OutgoingMessage, PasskeyAnswer, Reachability, Restriction, SendOutcome } from '../networks/index.ts';
import type { InstanceRow, Lease } from '../store/index.ts';
import type { Attempt } from './attempt.ts';
import { type ChatBudget, tighter } from './chat-budget/budget.ts';
import { LinkKeeper } from './link-keeper.ts';
import type { LinkState, Status } from './link-state.ts';
import type { SessionOptions } from './session-options.ts';

/** How long a send waits for a link that is reconnecting, in milliseconds (decisions §5). */
const linkWaitMs = 5_000;
/** How long a live check may take, in milliseconds. */
const probeMs = 5_000;
const notSent: SendOutcome = { outcome: 'not_sent' };

/** One instance and its linked number, as the rest of the program sees it: pairing, connecting, sending and unlinking. */
export class Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  #label: string | null;
  readonly #options: SessionOptions;
  readonly #keeper: LinkKeeper;
  readonly #link: Readonly<LinkState>;
  #usedAt = Number.NEGATIVE_INFINITY;

  constructor(row: InstanceRow, options: SessionOptions) {
    this.id = row.id;
    this.accountId = row.account_id;
    this.createdAt = row.created_at;
    this.#label = row.label;
    this.#options = options;
    this.#keeper = new LinkKeeper(row, options);
    this.#link = this.#keeper.state;
  }

  /** The name that the user has given it. */
  get label(): string | null {
    return this.#label;
  }

  get network(): Network {
    return this.#options.network;
  }

  /** The lease under which this process owns the number; null on a store with one server only. */
  get lease(): Lease | null {
    return this.#options.lease;
  }

  /** True for a linked number that another process owns now, or will: this one has closed the link for good, or cannot prove its right to it. */
  get moved(): boolean {
    return this.lease !== null && this.#link.linked && (this.#keeper.stopped || !this.#options.holdsLeases());
  }

  /** To be called when the store has refused something because another server owns the number; closes the link here. */
  ownedElsewhere(): void {
    this.#options.ownedElsewhere();
  }

  /** When it last sent something, by the stopwatch. */
  get usedAt(): number {
    return this.#usedAt;
  }

  get status(): Status {
    return this.#link.status;
  }

  /**
   * True while the number is connected or reconnects by itself. False for a parked number, whose credentials are stored but which only a person can
   * reconnect.
   */
  get linked(): boolean {
    return this.#link.linked && !this.#link.parked;
  }

  /** True after a phone scanned whose number is already connected on another instance, until the next pairing attempt. */
  get conflict(): boolean {
    return this.#link.conflict;
  }

  /** Digits of the linked number, or of the last one that was; null when none ever was. */
  get phoneNumber(): string | null {
    return this.#link.phoneNumber;
  }

  /** The current pairing attempt, or the last one until the number is linked or another attempt starts. */
  get attempt(): Attempt | null {
    return this.#link.attempt;
  }

  /** Who is disconnecting the number right now; null otherwise, and also while the instance is being removed. */
  get disconnection(): Act | null {
    return this.#link.disconnection;
  }

  /** What the network does not allow this number right now; null when no restriction is known. */
  get restriction(): Restriction | null {
    return this.#link.restriction;
  }

  /** How many chats this number may start and how many it has started, after the network or its owner's budget, whichever leaves fewer; null: no limit is known. */
  get newChats(): NewChats | null {
    return tighter(this.#link.newChats, this.#options.chatBudgets.of(this.id));
  }

  /** The budget of new chats that the number's owner has set; null: none. */
  get chatBudget(): ChatBudget | null {
    return this.#options.chatBudgets.budget(this.id);
  }

  /** Uses a new label that has already been stored. */
  renamed(label: string): void {
    this.#label = label;
    this.#options.changed();
  }

  /** What its budget of new chats leaves is another now. */
  budgetChanged(): void {
    this.#options.changed();
  }

  /** Somebody wants to be told other events of its messages now. */
  follow(): void {
    this.#keeper.follow();
  }

  /** Connects a linked instance after a start of the process; a banned one once its ban is over. Does nothing for others. */
  resume(): void {
    this.#keeper.resume();
  }

  /** Tries soon if it waits to connect again: the network can be reached. */
  retrySoon(): void {
    this.#keeper.retrySoon();
  }

  /** Reconnects because the proxy has changed. */
  reopen(): Promise<void> {
    return this.#keeper.reopen();
  }

  /**
   * Reconnects a parked number with its stored credentials. If it is not parked, or the network refuses the credentials, starts a pairing attempt,
   * unless one is running or the number is linked. Waits up to `waitMs` for the connection or the first code.
   */
  async pair(waitMs: number, startedBy: Actor): Promise<void> {
    const link = this.#link;
    const { clock } = this.#options;
    const giveUpAt = clock.monotonic() + waitMs;
    const wasParked = link.parked;
    await this.#keeper.pair(startedBy);
    if (wasParked) {
      await link.until(() => link.status !== 'connecting', waitMs);
      if (link.linked) return;
      await this.#keeper.pair(startedBy);
    }
    const ready = () => link.attempt === null || link.attempt.code !== null || link.attempt.passkey !== null || link.linked;
    await link.until(ready, giveUpAt - clock.monotonic());
  }

  /**
   * Adds a pairing code for this phone number to the running attempt, if the network has such codes. Does nothing before the first QR code. False
   * when the network does not give one within 10 s; the caller may try again. Never throws.
   */
  async requestPairingCode(phoneNumber: string): Promise<boolean> {
    const { link, attempt } = this.#link;
    if (link === null || attempt?.code == null) return false;
    return attempt.requestPairingCode(link, phoneNumber, {
      clock: this.#options.clock,
      onCode: () => this.#options.pairing({ step: 'typed_code' }),
      onFailure: (error) => this.#options.log.warn({ err: error, instance_id: this.id }, 'the network gave no pairing code'),
    });
  }

  /** Gives the passkey that the network asks for in the running attempt. Resolves when it was sent and `attempt` shows the result so far. */
  async givePasskey(credential: unknown): Promise<PasskeyAnswer> {
    const answer = (await this.#link.link?.givePasskey(credential)) ?? 'not_asked';
    await this.#keeper.settled();
    return answer;
  }

  /** A person confirms that the phone shows the attempt's code. False when there was no code to compare. */
  async confirmPasskey(): Promise<boolean> {
    const confirmed = (await this.#link.link?.confirmPasskey()) ?? false;
    await this.#keeper.settled();
    return confirmed;
  }

  /**
   * Sends a message. If the link is reconnecting, or ends before the message is sent, it waits up to 5 s for the next link; after that, and at once
   * when there will be none here, nothing is sent. Never throws.
   */
  send(message: OutgoingMessage): Promise<SendOutcome> {
    this.#usedAt = this.#options.clock.monotonic();
    const { chatBudgets } = this.#options;
    if (chatBudgets.budget(this.id) === null) return this.#send(message);
    return chatBudgets.send(this.id, message, { knows: () => this.#knows(message.to), send: () => this.#send(message) });
  }

  /** Whether there is a chat with this number (digits) already. Waits for a link that is reconnecting. */
  async #knows(number: string): Promise<boolean> {
    await this.#untilConnected(linkWaitMs);
    return (await this.#link.link?.knows(number)) ?? false;
  }

  #send(message: OutgoingMessage): Promise<SendOutcome> {
    if (this.moved) return Promise.resolve(notSent);
    const { status, link } = this.#link;
    if (status !== 'open' || link === null) return this.#sendLater(message, null);
    return link.send(message).then((sent) => (sent.outcome === 'not_open' ? this.#sendLater(message, link) : sent));
  }

  /** Asks the network which numbers (digits) it knows; an answer is null when it cannot say. Throws OwnershipLost when the number has moved. */
  async check(numbers: readonly string[]): Promise<Reachability[]> {
    await this.#untilConnected(linkWaitMs);
    if (this.moved) throw new OwnershipLost();
    const { status, link } = this.#link;
    if (status !== 'open' || link === null) return numbers.map(() => ({ reachable: null, networkNumber: null }));
    return link.check(numbers);
  }

  /** True when the shown status is right: the link answered a live check in time, ended meanwhile, or is not open at all. */
  async probe(): Promise<boolean> {
    const { status, link } = this.#link;
    if (status !== 'open' || link === null) return true;
    const answered = await withTimeout(this.#options.clock, probeMs, link.probe(), () => false).catch(() => false);
    if (answered) return true;
    await this.#keeper.settled();
    return this.#link.link !== link;
  }

  /**
   * Unlinks at the network and ends a running pairing attempt. The instance stays. If that fails, a linked number reconnects as after a lost
   * connection.
   */
  async logout(by: Actor): Promise<void> {
    await this.#keeper.disconnect(by);
  }

  /** Unlinks and removes the instance with `remove`. If either fails, the instance can be paired or removed again. */
  async retire(remove: () => Promise<void>): Promise<void> {
    await this.#keeper.retire(remove);
  }

  /** Closes the connection for a stop of the process. The number stays linked. */
  async stop(): Promise<void> {
    await this.#keeper.stop();
  }

  /** Resolves when all events so far are handled and stored. */
  async settled(): Promise<void> {
    await this.#keeper.settled();
  }

  /** Sends over the next link that accepts the message; `tried` did not. */
  async #sendLater(message: OutgoingMessage, tried: Link | null): Promise<SendOutcome> {
    const { clock } = this.#options;
    const giveUpAt = clock.monotonic() + linkWaitMs;
    let closing = tried;
    for (let left = linkWaitMs; left > 0; left = giveUpAt - clock.monotonic()) {
      const { status, link } = this.#link;
      if (this.#keeper.stopped || this.moved) return notSent;
      if (status === 'connecting') await this.#untilConnected(left);
      else if (status !== 'open' || link === null) return notSent;
      else if (link === closing) await this.#link.until(() => this.#link.link !== link || this.#link.status !== 'open', left);
      else {
        const sent = await link.send(message);
        if (sent.outcome !== 'not_open') return sent;
        closing = link;
      }
    }
    return notSent;
  }

  #untilConnected(waitMs: number): Promise<void> {
    return this.#link.until(() => this.status !== 'connecting' || this.#keeper.stopped, waitMs);
  }
}
