import type { Actor } from '../audit/index.ts';
import { type Link, LinkEnded, type LinkEvent, type MessageEvent, noMessageEvents } from '../networks/index.ts';
import { Attempt } from './attempt.ts';
import type { LossReason } from './history/number-history.ts';
import { keepsAway, newChatsColumns, outlivesLink, restrictionColumns } from './network-limits.ts';
import { Reconnect } from './reconnect.ts';
import type { NumberParts } from './session-parts.ts';

/** How long a login may keep its place among the simultaneous logins, in milliseconds. */
const loginMs = 30_000;

/** Opens one number's connection, opens it again after it was lost, and ends it. */
export class Connector {
  readonly #parts: NumberParts;
  readonly #onEvent: (event: LinkEvent, connection: Link) => void;
  /** When the next connection is tried after one was lost. */
  readonly reconnect: Reconnect;
  #unlinking = false;
  /** Settles when the last connection that was given up has ended. */
  #closing: Promise<unknown> = Promise.resolve();

  constructor(parts: NumberParts, onEvent: (event: LinkEvent, connection: Link) => void) {
    this.#parts = parts;
    this.#onEvent = onEvent;
    this.reconnect = new Reconnect(parts.clock, parts.random, () => void this.logIn());
  }

  open(): Link {
    const { network, record, proxies, followers } = this.#parts;
    const of = { accountId: record.accountId, instanceId: record.id };
    const opened: Link = network.open({
      ...of,
      credentials: record.credentials,
      proxy: proxies.of(record.id),
      storeEvents: async (events) => followers?.report(of, events),
      onEvent: (event) => this.#onEvent(event, opened),
    });
    opened.follow(this.#wantedEvents);
    return opened;
  }

  /** Opens a connection with the stored credentials, when it is the number's turn to log in. */
  async logIn(): Promise<void> {
    const { state, logins, clock, record, log } = this.#parts;
    // By account, so that one whose proxy is silent does not keep all others waiting.
    const release = await logins.take(record.accountId);
    // While this waited, the number may have been paired again and be connected, or a logout may have begun, after which it must not log in.
    if (state.stopped || this.#unlinking || !state.linked || state.connection !== null) return release();
    const timer = clock.after(loginMs, release);
    try {
      state.connection = this.open();
      await state.until(() => state.status !== 'connecting' || state.connection === null, loginMs);
    } catch (error) {
      // The system may have no thread left, and nobody waits for this login.
      log.error({ err: error }, 'a number could not be connected');
      this.connectLater(null);
    } finally {
      timer.cancel();
      release();
    }
  }

  /** Connects a linked number after a start of the process; a banned one once its ban is over. Does nothing when it is parked or not linked. */
  resume(): void {
    const { state, history, record } = this.#parts;
    if (!state.linked || state.parked) return;
    history.add(record, { event: 'starting' });
    state.become('connecting');
    const { restriction } = state;
    if (restriction?.reason !== 'temporarily_banned' || restriction.until === null) return void this.logIn();
    this.reconnect.notBefore(restriction.until);
    this.reconnect.later();
  }

  /** The events of messages that are followed may be others now. */
  follow(): void {
    this.#parts.state.connection?.follow(this.#wantedEvents);
  }

  get #wantedEvents(): ReadonlySet<MessageEvent> {
    const { followers, record } = this.#parts;
    return followers?.wanted(record.accountId) ?? noMessageEvents;
  }

  /** Reconnects because the proxy has changed; a running pairing attempt starts again. A number that waits for its next try does not wait it out. */
  async reopen(): Promise<void> {
    const { state } = this.#parts;
    const { connection, linked, attempt } = state;
    if (state.stopped) return;
    if (connection === null) return this.reconnect.soon();
    state.connection = null;
    try {
      await connection.close();
    } finally {
      if (linked) {
        this.noteLoss('proxy');
        state.become('connecting');
        void this.logIn();
      } else if (attempt !== null) this.beginAttempt(attempt.startedBy);
    }
  }

  /** Opens a connection that pairs. When that fails no attempt is left, so that another one can begin. */
  beginAttempt(startedBy: Actor): void {
    const { state } = this.#parts;
    state.attempt = null;
    try {
      state.connection = this.open();
    } catch (error) {
      state.become('close');
      throw error;
    }
    state.attempt = new Attempt(startedBy);
  }

  /** The network asked for a new connection. A linked number waits for its turn to log in, because many may be asked together. */
  restart(): void {
    const { state } = this.#parts;
    if (!state.linked) state.connection = this.open();
    else if (state.status === 'open') {
      this.noteLoss('restart');
      state.become('connecting');
      void this.logIn();
    }
    // A number that is restarted at every login waits longer each time.
    else this.connectLater(null);
  }

  /**
   * Connects after a pause, also when `failed` is the number's connection still; does nothing when another one has replaced it. A number that is not
   * linked, or is parked, waits for a person instead.
   */
  connectLater(failed: Link | null): void {
    const { state, log } = this.#parts;
    if (failed !== null && state.connection !== failed) return;
    state.connection = null;
    const closed = failed?.close().catch((error) => log.error({ err: error }, 'a connection could not be closed'));
    if (closed !== undefined) this.#closing = closed;
    if (state.stopped) return;
    if (!state.linked || state.parked) {
      state.attempt = null;
      state.become('close');
      return;
    }
    this.noteLoss('lost');
    state.become('connecting');
    if (closed === undefined) {
      this.reconnect.later();
      return;
    }
    // Until then it may store SignalRecords, over newer ones of the next connection.
    void closed.then(() => {
      if (!state.stopped && state.linked && state.connection === null) this.reconnect.later();
    });
  }

  /** Only an open connection is lost; later tries that fail are part of the same interruption. */
  noteLoss(detail: LossReason, until: number | null = null): void {
    const { state, history, record } = this.#parts;
    if (state.status === 'open') history.add(record, { event: 'lost', detail, until });
  }

  /** Closes the connection and plans no other. The number stays linked. */
  async close(): Promise<void> {
    const { state } = this.#parts;
    this.reconnect.cancel();
    const { connection } = state;
    state.connection = null;
    await connection?.close();
  }

  /** Unlinks at the network and ends a running pairing attempt. If that fails, a linked number reconnects as after a lost connection. */
  async unlink(): Promise<void> {
    const { state, record } = this.#parts;
    this.reconnect.cancel();
    // After a failure that could not be looked into it may be linked all the same.
    if (state.connection === null && !state.linked) state.linked = await record.hasCredentials();
    // A banned or parked number cannot log in to unlink itself, and its owner should not have to wait until it can.
    const unreachable = state.connection === null && keepsAway(state.restriction);
    const { attempt } = state;
    let { connection } = state;
    state.connection = null;
    state.attempt = null;
    this.#unlinking = true;
    try {
      // Until then it may store SignalRecords, over newer ones of the connection that logs out, or after they were deleted.
      await this.#closing;
      if (connection === null && state.linked && !unreachable) connection = this.open();
      if (connection !== null) await this.#logOut(connection);
      else if (state.linked) await record.credentials.clear();
    } catch (error) {
      // It may be linked without having been open yet.
      state.linked ||= await record.hasCredentials().catch(() => false);
      // Then its phone number is still to be compared with those of other instances.
      if (state.linked && attempt !== null) state.attempt = new Attempt(attempt.startedBy);
      this.connectLater(null);
      throw error;
    } finally {
      this.#unlinking = false;
    }
    await this.unlinked('keep');
  }

  /** Unlinks over this connection, or over a new one if this one has just closed by itself and the number is still linked. */
  async #logOut(connection: Link): Promise<void> {
    const { record } = this.#parts;
    try {
      await connection.logout();
    } catch (error) {
      if (!(error instanceof LinkEnded)) throw error;
      // Without credentials a new connection would start a pairing attempt.
      if (await record.hasCredentials()) await this.open().logout();
    }
  }

  /**
   * The number is no longer linked. Its restrictions are removed with it, except those that outlive the link. `how` that is stored: with `keep`
   * for a request, which must not wait for the store; with `keepReported` for what the network has reported.
   */
  async unlinked(how: 'keep' | 'keepReported'): Promise<void> {
    const { state, record } = this.#parts;
    state.linked = false;
    state.firstLogin = false;
    state.attempt = null;
    this.reconnect.reset();
    state.become('close');
    const { reportedRestriction, reportedNewChats } = state;
    const stays = reportedRestriction === null || outlivesLink(reportedRestriction);
    if (stays && reportedNewChats === null) return;
    if (!stays) state.reportedRestriction = null;
    state.reportedNewChats = null;
    state.changed();
    try {
      await record[how]({ ...(stays ? {} : restrictionColumns(null)), ...newChatsColumns(null) });
    } catch (error) {
      // They are stored still, also after a restart, so they are shown until the request is repeated or the number is linked again.
      state.reportedRestriction = reportedRestriction;
      state.reportedNewChats = reportedNewChats;
      state.changed();
      throw error;
    }
  }
}
