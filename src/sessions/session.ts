import type { Act, Actor } from '../accounts/index.ts';
import { withTimeout } from '../core/index.ts';
import type { Link, Network, NewChats, OutgoingMessage, PasskeyAnswer, Reachability, Restriction, SendOutcome } from '../networks/index.ts';
import type { InstanceRow } from '../store/index.ts';
import type { Attempt } from './attempt.ts';
import { LinkKeeper } from './link-keeper.ts';
import type { LinkState, Status } from './link-state.ts';
import type { SessionOptions } from './session-options.ts';

/** How long a send waits for a link that is coming back (decisions §5). */
const linkWaitMs = 5_000;
/** How long a live check may take. */
const probeMs = 5_000;
const notSent: SendOutcome = { outcome: 'not_sent' };

/** One instance's life as the rest of the program sees it: pairing, being connected, coming back, being unlinked. */
export class Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  #label: string | null;
  readonly #options: SessionOptions;
  readonly #keeper: LinkKeeper;
  readonly #link: Readonly<LinkState>;

  constructor(row: InstanceRow, options: SessionOptions) {
    this.id = row.id;
    this.accountId = row.account_id;
    this.createdAt = row.created_at;
    this.#label = row.label;
    this.#options = options;
    this.#keeper = new LinkKeeper(row, options);
    this.#link = this.#keeper.state;
  }

  /** The caller's own name for it. */
  get label(): string | null {
    return this.#label;
  }

  get network(): Network {
    return this.#options.network;
  }

  get status(): Status {
    return this.#link.status;
  }

  /** True while the number is connected or comes back by itself. False for one that is parked: it is stored, but only a person takes it back. */
  get linked(): boolean {
    return this.#link.linked && !this.#link.parked;
  }

  /** True after a scan by a phone whose number is connected on another instance; until the next pairing attempt. */
  get conflict(): boolean {
    return this.#link.conflict;
  }

  /** Digits of the number that is linked or was linked last; null for one that never paired. */
  get phoneNumber(): string | null {
    return this.#link.phoneNumber;
  }

  /** The running pairing attempt, or the last one while nothing came after it. */
  get attempt(): Attempt | null {
    return this.#link.attempt;
  }

  /** Who is disconnecting the number right now; null otherwise, also while the instance is being removed. */
  get disconnection(): Act | null {
    return this.#link.disconnection;
  }

  /** What the network does not let this number do right now; null when nothing is known of it. */
  get restriction(): Restriction | null {
    return this.#link.restriction;
  }

  /** How many chats this number may start in this cycle of the network's, and has started; null when the network has not told. */
  get newChats(): NewChats | null {
    return this.#link.newChats;
  }

  /** Takes over a new label that is stored. */
  renamed(label: string): void {
    this.#label = label;
    this.#options.changed();
  }

  /** Connects a linked instance after a start, a banned one when its ban is over; does nothing for others. */
  resume(): void {
    this.#keeper.resume();
  }

  /** What it connects through has changed. */
  reopen(): Promise<void> {
    return this.#keeper.reopen();
  }

  /**
   * Takes a parked number back with its kept credentials. Otherwise, or when the network refuses them, starts a pairing attempt unless one is
   * running or the number is linked. Waits up to `waitMs` for the connection or the first code.
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
   * Adds a pairing code for this phone number to the running attempt, where the network has such codes. Does nothing before the first QR code.
   * False when the network does not give one within 10 s: it may then be asked for again. Never throws.
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

  /** Gives the passkey that the network asks for in the running attempt. Resolves when it was sent and what came of it so far is in `attempt`. */
  async givePasskey(credential: unknown): Promise<PasskeyAnswer> {
    const answer = (await this.#link.link?.givePasskey(credential)) ?? 'not_asked';
    await this.#keeper.settled();
    return answer;
  }

  /** Says that the phone shows the same code as the attempt. False when nobody was asked to compare one. */
  async confirmPasskey(): Promise<boolean> {
    const confirmed = (await this.#link.link?.confirmPasskey()) ?? false;
    await this.#keeper.settled();
    return confirmed;
  }

  /**
   * Hands a message to the network. While the link is coming back, or goes away before the message is on the wire, it waits for it, and hands
   * nothing over that it could not within 5 s. Never throws.
   */
  send(message: OutgoingMessage): Promise<SendOutcome> {
    const { status, link } = this.#link;
    if (status !== 'open' || link === null) return this.#sendLater(message, null);
    return link.send(message).then((sent) => (sent.outcome === 'not_open' ? this.#sendLater(message, link) : sent));
  }

  /** Asks the network for numbers (digits); null for each it cannot say. */
  async check(numbers: readonly string[]): Promise<Reachability[]> {
    await this.#untilConnected(linkWaitMs);
    const { status, link } = this.#link;
    if (status !== 'open' || link === null) return numbers.map(() => ({ reachable: null, networkNumber: null }));
    return link.check(numbers);
  }

  /** True when the shown state is right: the link answered a live check in time, has ended meanwhile, or is not open at all. */
  async probe(): Promise<boolean> {
    const { status, link } = this.#link;
    if (status !== 'open' || link === null) return true;
    const answered = await withTimeout(this.#options.clock, probeMs, link.probe(), () => false).catch(() => false);
    if (answered) return true;
    await this.#keeper.settled();
    return this.#link.link !== link;
  }

  /** Unlinks at the network and ends a running attempt. The instance stays. When it fails, a linked number comes back as after a lost connection. */
  async logout(by: Actor): Promise<void> {
    await this.#keeper.disconnect(by);
  }

  /** Unlinks for good and removes the instance by `remove`. When that fails, the instance can be paired or removed again. */
  async retire(remove: () => Promise<void>): Promise<void> {
    await this.#keeper.retire(remove);
  }

  /** Closes the connection and keeps the number linked, for a stop of the process. */
  async stop(): Promise<void> {
    await this.#keeper.stop();
  }

  /** Resolves when everything the link has told so far is handled and stored. */
  async settled(): Promise<void> {
    await this.#keeper.settled();
  }

  /** Sends over the next link that takes the message; `tried` did not. */
  async #sendLater(message: OutgoingMessage, tried: Link | null): Promise<SendOutcome> {
    const { clock } = this.#options;
    const giveUpAt = clock.monotonic() + linkWaitMs;
    let closing = tried;
    for (let left = linkWaitMs; left > 0; left = giveUpAt - clock.monotonic()) {
      const { status, link } = this.#link;
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
    return this.#link.until(() => this.status !== 'connecting', waitMs);
  }
}
