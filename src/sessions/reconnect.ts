import type { Clock, Timer } from '../core/index.ts';
import { backoffMs } from './backoff.ts';

/** A wait for a time of the calendar looks at the clock this often, because the clock may be set meanwhile. */
const lookEveryMs = 60_000;

/** When to try again after a lost connection: later with every failure, and never before the network allows it. */
export class Reconnect {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #connect: () => void;
  #failures = 0;
  #notBefore = 0;
  #timer: Timer | null = null;

  constructor(clock: Clock, random: () => number, connect: () => void) {
    this.#clock = clock;
    this.#random = random;
    this.#connect = connect;
  }

  /** The network refuses every login before this time (epoch milliseconds). */
  notBefore(time: number): void {
    this.#notBefore = Math.max(this.#notBefore, time);
  }

  /** Plans the next try, in place of one that is planned. */
  later(): void {
    this.#wait(backoffMs(this.#failures++, this.#random));
  }

  /** Forgets the planned try. */
  cancel(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** The connection is up, or nothing is to be connected any more: the next failure is the first. */
  reset(): void {
    this.cancel();
    this.#failures = 0;
    this.#notBefore = 0;
  }

  /** Waits until the network allows a login, and then for `ms`. */
  #wait(ms: number): void {
    this.cancel();
    const forbiddenMs = this.#notBefore - this.#clock.now();
    this.#timer =
      forbiddenMs > 0
        ? this.#clock.after(Math.min(forbiddenMs, lookEveryMs), () => this.#wait(ms))
        : this.#clock.after(ms, () => this.#connect());
  }
}
