import type { Clock } from './clock.ts';

/** The calendar may differ from the stopwatch by so much from one look to the next: clocks are corrected all the time. */
const toleratedMs = 60_000;
/** How long a calendar that jumped ahead must stay there before it is believed. */
const provedAfterMs = 60 * 60 * 1000;

/** The time by which ages are judged, in epoch milliseconds (whole ones, as PostgreSQL wants them for a `bigint`). */
export interface AgeTime {
  /** By which idempotency keys and reservations are judged. */
  now(): number;
  /** For what the calendar dated and age deletes: whichever is earlier, `now` or the calendar. */
  earliest(): number;
  /** What new keys and reservations are dated: whichever is later. */
  latest(): number;
  /** Whether the calendar may turn out to be right after all where it is ahead of `now`. */
  readonly inDoubt: boolean;
  /** Compares it with what it follows; to be called every few minutes at least. */
  look(): Promise<void>;
}

/**
 * The time of a process that shares its store with no other. It follows the calendar, but believes a jump forward only after an hour, and never
 * goes back with one that is set back: until the calendar has caught up, or has proved itself, it goes on by the stopwatch. So a clock that is
 * wrong makes nobody forget what is young.
 */
export class LastingTime implements AgeTime {
  readonly #clock: Clock;
  /** `now` is this plus the stopwatch. */
  #offset: number;
  #jump: { readonly offset: number; readonly since: number } | null = null;

  /** `last`: the last time of an earlier process (epoch milliseconds); the calendar may have jumped since. Null: there was none. */
  constructor(clock: Clock, last: number | null = null) {
    this.#clock = clock;
    this.#offset = (last ?? clock.now()) - clock.monotonic();
    this.now();
  }

  now(): number {
    const monotonic = this.#clock.monotonic();
    const offset = this.#clock.now() - monotonic;
    if (offset <= this.#offset + toleratedMs) {
      this.#jump = null;
      if (offset >= this.#offset - toleratedMs) this.#offset = offset;
    }
    // One that jumps again has to prove itself again.
    else if (this.#jump === null || Math.abs(offset - this.#jump.offset) > toleratedMs) this.#jump = { offset, since: monotonic };
    else if (monotonic - this.#jump.since >= provedAfterMs) {
      this.#offset = offset;
      this.#jump = null;
    }
    return Math.round(this.#offset + monotonic);
  }

  earliest(): number {
    return Math.min(this.now(), this.#clock.now());
  }

  /** What is dated while a jump is in doubt has its age whether that is believed or not: a date that lies ahead is set back then. */
  latest(): number {
    return Math.max(this.now(), this.#clock.now());
  }

  get inDoubt(): boolean {
    this.now();
    return this.#jump !== null;
  }

  async look(): Promise<void> {
    this.now();
  }
}
