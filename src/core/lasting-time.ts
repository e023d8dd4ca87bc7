import type { Clock } from './clock.ts';

/** The calendar may run ahead of the stopwatch by so much from one look to the next: clocks are corrected all the time. */
const toleratedMs = 60_000;
/** How long a calendar that jumped ahead must stay there before it is believed. */
const provedAfterMs = 60 * 60 * 1000;

/**
 * The calendar for what is forgotten by age. It follows the calendar except for jumps forward, which it believes after an hour: until then it
 * goes on from where it was. So a clock that is wrong for a moment makes nobody forget what is young. To be asked every few minutes at least.
 */
export class LastingTime {
  readonly #clock: Clock;
  /** The time it tells is this plus the stopwatch. */
  #offset: number;
  #jump: { readonly offset: number; readonly since: number } | null = null;

  /** `last`: the time an earlier process told last (epoch milliseconds); whatever lies between it and the calendar may be a jump. Null: none did. */
  constructor(clock: Clock, last: number | null = null) {
    this.#clock = clock;
    this.#offset = (last ?? clock.now()) - clock.monotonic();
    this.now();
  }

  /** Epoch milliseconds, whole ones as calendars tell them: the stopwatch has parts of them, which PostgreSQL refuses as a `bigint`. */
  now(): number {
    const monotonic = this.#clock.monotonic();
    const offset = this.#clock.now() - monotonic;
    if (offset - this.#offset <= toleratedMs) this.#follow(offset);
    // One that jumps again has to prove itself again.
    else if (this.#jump === null || Math.abs(offset - this.#jump.offset) > toleratedMs) this.#jump = { offset, since: monotonic };
    else if (monotonic - this.#jump.since >= provedAfterMs) this.#follow(offset);
    return Math.round(this.#offset + monotonic);
  }

  #follow(offset: number): void {
    this.#offset = offset;
    this.#jump = null;
  }
}
