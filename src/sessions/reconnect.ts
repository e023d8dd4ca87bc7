import type { Clock, Timer } from '../core/index.ts';
import { backoffMs } from './backoff.ts';

/** Within what time those come back that need not wait any longer. */
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

  /** Brings a scheduled try forward, because others reach the network again. Never before the network allows it. */
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
