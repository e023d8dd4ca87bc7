import type { Actor } from '../audit/index.ts';
import { Mutex, withTimeout } from '../core/index.ts';
import type {
  Link,
  LinkEvent,
  Network,
  NewChats,
  OutgoingMessage,
  PasskeyAnswer,
  Reachability,
  Restriction,
  SendOutcome,
} from '../networks/index.ts';
import type { InstanceRow, Lease } from '../store/index.ts';
import type { Attempt } from './attempt.ts';
import { type ChatBudget, tighter } from './chat-budget/budget.ts';
import { ConnectionState, type Status } from './connection-state.ts';
import { Connector } from './connector.ts';
import { NetworkReports } from './network-reports.ts';
import type { NumberRecord } from './number-record.ts';
import { Pairing } from './pairing.ts';
import { Sending } from './sending.ts';
import type { NumberParts, SharedParts } from './session-parts.ts';

/** How long a live check may take, in milliseconds. */
const probeMs = 5_000;

interface SessionParts extends SharedParts {
  readonly network: Network;
  readonly record: NumberRecord;
  /** Called whenever the visible state of the instance may have changed. */
  changed(): void;
}

/** One instance and its linked number, as the rest of the program sees it: pairing, connecting, sending and unlinking. */
export class Session {
  readonly id: string;
  readonly accountId: string;
  readonly createdAt: number;
  #label: string | null;
  readonly #parts: NumberParts;
  readonly #state: ConnectionState;
  readonly #connector: Connector;
  readonly #pairing: Pairing;
  readonly #reports: NetworkReports;
  readonly #sending: Sending;
  /** Changes run one after another: while one is being stored, the next event waits. */
  readonly #work = new Mutex();
  #usedAt = Number.NEGATIVE_INFINITY;
  #underWay = 0;

  constructor(row: InstanceRow, { changed, ...parts }: SessionParts) {
    this.id = row.id;
    this.accountId = row.account_id;
    this.createdAt = row.created_at;
    this.#label = row.label;
    this.#state = new ConnectionState(row, { clock: parts.clock, changed });
    this.#parts = { ...parts, state: this.#state, log: this.#numberLog(parts.log) };
    this.#connector = new Connector(this.#parts, (event, connection) => this.#onEvent(event, connection));
    this.#pairing = new Pairing(this.#parts, this.#connector);
    this.#reports = new NetworkReports(this.#parts, this.#connector, this.#pairing);
    this.#sending = new Sending(this.#parts);
  }

  /** The reader of the log wants to know whose number it is. */
  #numberLog(log: SharedParts['log']): SharedParts['log'] {
    const about = (fields: object) => ({ instance_id: this.id, ...fields, account_id: this.accountId, label: this.#label });
    return {
      info: (fields, message) => log.info(about(fields), message),
      warn: (fields, message) => log.warn(about(fields), message),
      error: (fields, message) => log.error(about(fields), message),
    };
  }

  /** Events of a connection that was dropped are ignored. */
  #onEvent(event: LinkEvent, connection: Link): void {
    const handled = this.#work.take(async () => {
      if (this.#state.connection === connection) await this.#reports.handle(event, connection);
    });
    handled.catch((error) => {
      this.#parts.log.error({ err: error, event: event.type }, 'an event of a number could not be handled');
      // The report of its end takes the connection away before it does what may fail.
      const hasEnded = event.type === 'closed' && this.#state.connection === null;
      this.#connector.connectLater(hasEnded ? null : connection);
    });
  }

  /**
   * Does what a request asks for when it is its turn. Rejects with StoreUnavailable when the store refuses a report before it:
   * that is tried again for as long as the store is away.
   */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const { refusal, onRefusal } = this.#parts.record;
    if (refusal !== null) throw refusal;
    const { promise: refused, reject } = Promise.withResolvers<never>();
    onRefusal.add(reject);
    const done = this.#work.take(() => (onRefusal.delete(reject) ? work() : refused));
    return Promise.race([refused, done]);
  }

  get label(): string | null {
    return this.#label;
  }

  get network(): Network {
    return this.#parts.network;
  }

  /** The lease under which this process owns the number; null on a store with one server only. */
  get lease(): Lease | null {
    return this.#parts.record.lease;
  }

  /** True for a linked number that another process owns now, or will: this one has disconnected it for good, or cannot prove its right to it. */
  get moved(): boolean {
    return this.#sending.moved;
  }

  /** To be called when the store has refused something because another server owns the number; disconnects it here. */
  ownedElsewhere(): void {
    this.#parts.record.lost();
  }

  /** When it last sent something, by the stopwatch. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** Whether a disconnection would cut something off: a send, a check, a logout or a pairing attempt. */
  get busy(): boolean {
    const { attempt } = this.#state;
    return this.#underWay > 0 || (attempt !== null && !attempt.exhausted);
  }

  async #during<Result>(work: Promise<Result>): Promise<Result> {
    this.#underWay++;
    try {
      return await work;
    } finally {
      this.#underWay--;
    }
  }

  get status(): Status {
    return this.#state.status;
  }

  /**
   * True while the number is connected or reconnects by itself. False for a parked number, whose credentials are stored but which only a person can
   * reconnect.
   */
  get linked(): boolean {
    return this.#state.linked && !this.#state.parked;
  }

  /** True after a phone scanned whose number is already connected on another instance, until the next pairing attempt. */
  get conflict(): boolean {
    return this.#state.conflict;
  }

  /** Digits of the linked number, or of the last one that was; null when none ever was. */
  get phoneNumber(): string | null {
    return this.#state.phoneNumber;
  }

  /** True until the first login after a scan has been stored. */
  get firstLogin(): boolean {
    return this.#state.firstLogin;
  }

  /** The current pairing attempt, or the last one until the number is linked or another attempt starts. */
  get attempt(): Readonly<Attempt> | null {
    return this.#state.attempt;
  }

  /** What the network does not allow this number right now; null when no restriction is known. */
  get restriction(): Restriction | null {
    return this.#state.restriction;
  }

  /** How many chats it may start and has started, after the network or its owner's budget, whichever leaves fewer; null: no limit is known. */
  get newChats(): NewChats | null {
    return tighter(this.#state.newChats, this.#parts.chatBudgets.of(this.id));
  }

  /** The budget of new chats that the number's owner has set; null: none. */
  get chatBudget(): ChatBudget | null {
    return this.#parts.chatBudgets.budget(this.id);
  }

  renamed(label: string): void {
    this.#label = label;
    this.#state.changed();
  }

  /** What its budget of new chats leaves is another now. */
  budgetChanged(): void {
    this.#state.changed();
  }

  /** The events of messages that somebody follows are others now. */
  follow(): void {
    this.#connector.follow();
  }

  /** Connects a linked instance after a start of the process; a banned one once its ban is over. Does nothing for others. */
  resume(): void {
    this.#connector.resume();
  }

  /** Tries soon if it waits to connect again: the network can be reached. */
  retrySoon(): void {
    this.#connector.reconnect.soon();
  }

  /** Reconnects because the proxy has changed. */
  reopen(): Promise<void> {
    return this.#work.take(() => this.#connector.reopen());
  }

  /**
   * Reconnects a parked number with its stored credentials. If it is not parked, or the network refuses the credentials, starts a pairing attempt,
   * unless one is running or the number is linked. Waits up to `waitMs` for the connection or the first code.
   */
  async pair(waitMs: number, startedBy: Actor): Promise<void> {
    const state = this.#state;
    const { clock } = this.#parts;
    const giveUpAt = clock.monotonic() + waitMs;
    const wasParked = state.parked;
    const start = () => this.#inTurn(() => this.#pairing.start(startedBy));
    await start();
    if (wasParked) {
      await state.until(() => state.status !== 'connecting', waitMs);
      if (state.linked) return;
      await start();
    }
    const ready = () => state.attempt === null || state.attempt.code !== null || state.attempt.passkey !== null || state.linked;
    await state.until(ready, giveUpAt - clock.monotonic());
  }

  /**
   * Adds a pairing code for this phone number to the running attempt, if the network has such codes. Does nothing before the first QR code. False
   * when the network does not give one within 10 s; the caller may try again. Never throws.
   */
  requestPairingCode(phoneNumber: string): Promise<boolean> {
    return this.#pairing.requestPairingCode(phoneNumber);
  }

  /** Gives the passkey that the network asks for in the running attempt. Resolves when it was sent and `attempt` shows the result so far. */
  async givePasskey(credential: unknown): Promise<PasskeyAnswer> {
    const answer = (await this.#state.connection?.givePasskey(credential)) ?? 'not_asked';
    await this.settled();
    return answer;
  }

  /** A person confirms that the phone shows the attempt's code. False when there was no code to compare. */
  async confirmPasskey(): Promise<boolean> {
    const confirmed = (await this.#state.connection?.confirmPasskey()) ?? false;
    await this.settled();
    return confirmed;
  }

  /**
   * Sends a message. If the number is reconnecting, or its connection ends before the message is sent, it waits up to 5 s for the next one; after
   * that, and at once when there will be none here, nothing is sent. Never throws.
   */
  send(message: OutgoingMessage): Promise<SendOutcome> {
    this.#usedAt = this.#parts.clock.monotonic();
    return this.#during(this.#sending.send(message));
  }

  /** Asks the network which numbers (digits) it knows; an answer is null when it cannot say. Throws OwnershipLost when the number has moved. */
  check(numbers: readonly string[]): Promise<Reachability[]> {
    return this.#during(this.#sending.check(numbers));
  }

  /** True when the shown status is right: the connection answered a live check in time, ended meanwhile, or is not open at all. */
  async probe(): Promise<boolean> {
    const { status, connection } = this.#state;
    if (status !== 'open' || connection === null) return true;
    const answered = await withTimeout(this.#parts.clock, probeMs, connection.probe(), () => false).catch(() => false);
    if (answered) return true;
    await this.settled();
    return this.#state.connection !== connection;
  }

  /** Unlinks at the network and ends a running pairing attempt. The instance stays. If that fails, a linked number connects again. */
  logout(actor: Actor): Promise<void> {
    const work = this.#inTurn(async () => {
      const { record, history, clock } = this.#parts;
      const { linked } = this.#state;
      record.disconnection = { actor, now: clock.now() };
      await this.#connector.unlink().finally(() => {
        record.disconnection = null;
        // Also when only the end of its restrictions could not be stored, because a repeated request finds it unlinked.
        if (linked && !this.#state.linked) history.add(record, { event: 'disconnected', actor });
      });
    });
    return this.#during(work);
  }

  /** Unlinks and removes the instance with `remove`; nothing is started after that. If either fails, it can be paired or removed again. */
  retire(remove: () => Promise<void>): Promise<void> {
    const work = this.#inTurn(async () => {
      await this.#connector.unlink();
      await remove();
      this.#state.stopped = true;
    });
    return this.#during(work);
  }

  /**
   * Closes the connection for a stop of the process, at once: what is being handled may wait for the store, and another server may connect the
   * number soon. Resolves when that work has ended too. The number stays linked.
   */
  stop(): Promise<void> {
    this.#state.stopped = true;
    this.#parts.record.stop();
    const closing = this.#connector.close();
    // It is awaited below, after what may fail before.
    closing.catch(() => undefined);
    return this.#work.take(async () => {
      await closing;
      // What was being handled may have opened another one.
      await this.#connector.close();
      this.#state.become(this.#state.linked && !this.#state.parked ? 'connecting' : 'close');
    });
  }

  /** Resolves when all events so far are handled and stored, or the store refuses one. */
  settled(): Promise<void> {
    return this.#inTurn(async () => undefined).catch(() => undefined);
  }
}
