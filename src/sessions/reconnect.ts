import type { Clock, Timer } from '../core/index.ts';
import type { Network } from '../networks/index.ts';
import type { Status } from './connection-state.ts';

/** The bound of the first wait after a lost connection, and of the longest. */
const firstMs = 1000;
const longestMs = 60_000;
/** Within this time those reconnect that need not wait any longer. */
const soonMs = 2_000;
/** A wait until a date checks the clock this often, because the clock may be changed meanwhile. */
const lookEveryMs = 60_000;

/** Schedules the next try after a lost connection: later with every failure, and never before the network allows it. */
export class Reconnect {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #connect: () => void;
  #failures = 0;
  #notBefore = 0;
  #timer: Timer | null = null;
  /** When the next try is due, by the stopwatch. */
  #dueAt = 0;

  constructor(clock: Clock, random: () => number, connect: () => void) {
    this.#clock = clock;
    this.#random = random;
    this.#connect = connect;
  }

  /** The network refuses every login before this time (epoch milliseconds). */
  notBefore(time: number): void {
    this.#notBefore = Math.max(this.#notBefore, time);
  }

  /** Schedules the next try; replaces one that is already scheduled. */
  later(): void {
    this.#wait(backoffMs(this.#failures++, this.#random));
  }

  /** Brings a scheduled try forward, because it may succeed now. Never before the network allows it. */
  soon(): void {
    if (this.#timer === null) return;
    const ms = Math.floor(this.#random() * soonMs);
    if (this.#dueAt - this.#clock.monotonic() > ms) this.#wait(ms);
  }

  /** Cancels the scheduled try. */
  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** The connection is up or no longer wanted: the next failure counts as the first one. */
  reset(): void {
    this.cancel();
    this.#failures = 0;
    this.#notBefore = 0;
  }

  /** Waits until the network allows a login, and then for `ms`. */
  #wait(ms: number): void {
    this.cancel();
    const forbiddenMs = this.#notBefore - this.#clock.now();
    this.#dueAt = this.#clock.monotonic() + Math.max(0, forbiddenMs) + ms;
    this.#timer =
      forbiddenMs > 0
        ? this.#clock.after(Math.min(forbiddenMs, lookEveryMs), () => this.#wait(ms))
        : this.#clock.after(ms, () => this.#connect());
  }
}

/**
 * How long to wait before the nth reconnect in a row (from 0), in milliseconds: anywhere from 0 to a bound that doubles up to a minute.
 * Full jitter spreads the numbers of a restart better than a fixed wait ("Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
 */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.floor(random() * Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 16)));
}

interface Reconnecting {
  readonly id: string;
  readonly network: Network;
  readonly status: Status;
  retrySoon(): void;
}

/** Shortens the waits of a network's numbers when the first of them is connected again. */
export class ReconnectHints {
  readonly #sessions: { get(id: string): Reconnecting | undefined; values(): Iterable<Reconnecting> };
  /** A number of the network that was last seen open, or about to be. Mostly it still is, and the others need not be looked through. */
  readonly #lastOpen = new Map<Network, string>();

  constructor(sessions: { get(id: string): Reconnecting | undefined; values(): Iterable<Reconnecting> }) {
    this.#sessions = sessions;
  }

  /**
   * To be called when a number is back, before it counts as open. If no other number of its network is open, this process could not reach the
   * network: the others need not wait out the pauses that have grown meanwhile, up to a minute.
   */
  onBack(back: { readonly id: string; readonly network: Network }): void {
    const isOther = (session: Reconnecting) => session.id !== back.id && session.network === back.network;
    const lastOpen = this.#sessions.get(this.#lastOpen.get(back.network) ?? '');
    if (lastOpen !== undefined && isOther(lastOpen) && lastOpen.status === 'open') return;
    const others: Reconnecting[] = [];
    for (const session of this.#sessions.values()) {
      if (!isOther(session)) continue;
      if (session.status === 'open') return void this.#lastOpen.set(back.network, session.id);
      others.push(session);
    }
    this.#lastOpen.set(back.network, back.id);
    for (const session of others) session.retrySoon();
  }
}
