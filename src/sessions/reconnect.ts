import type { Clock, Timer } from '../core/index.ts';
import { backoffMs } from './backoff.ts';

/** A timer cannot run for more than about 24 days, and a ban can. */
const longestTimerMs = 7 * 24 * 60 * 60 * 1000;

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
    const jitter = backoffMs(this.#failures++, this.#random);
    this.#at(Math.max(this.#clock.now(), this.#notBefore) + jitter);
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

  #at(time: number): void {
    this.cancel();
    const wait = time - this.#clock.now();
    this.#timer =
      wait > longestTimerMs ? this.#clock.after(longestTimerMs, () => this.#at(time)) : this.#clock.after(wait, () => this.#connect());
  }
}
