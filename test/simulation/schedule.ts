import type { Clock } from '../../src/core/index.ts';
import { epoch } from './plan.ts';

/** Timers of at most so long are heartbeats: where nothing else happens, each of them only sets the next. */
export const heartbeatMs = 5_000;
/** What is planned finds processes whose hearts have beaten for so long. */
const warmMs = 10_000;

/**
 * Runs the callbacks of promises until none is left. Node does the same between two callbacks of its event loop, where it costs fifteen times as
 * much.
 */
const settlePromises = (process as unknown as { _tickCallback(): void })._tickCallback;

interface Event {
  at: number;
  /** For how long it was set. */
  readonly ms: number;
  /** Decides between events of the same time. */
  readonly order: number;
  /** The process that it happens to; null: it happens outside of all. */
  readonly life: Life | null;
  /** A timer of a process; something under way; or what was decided before the simulation began. */
  readonly kind: 'timer' | 'message' | 'planned';
  cancelled: boolean;
  readonly run: () => void;
}

/** The calendar of a machine: off by something, a little fast or slow, and sometimes set to another time. */
export class WallClock {
  readonly #schedule: Schedule;
  readonly #driftPpm: number;
  #aheadMs: number;

  constructor(schedule: Schedule, { aheadMs, driftPpm }: { readonly aheadMs: number; readonly driftPpm: number }) {
    this.#schedule = schedule;
    this.#aheadMs = aheadMs;
    this.#driftPpm = driftPpm;
  }

  /** Epoch milliseconds. */
  now(): number {
    return epoch + this.#aheadMs + Math.floor(this.#schedule.now * (1 + this.#driftPpm / 1_000_000));
  }

  /** Jumps ahead by so much, or back. */
  jump(ms: number): void {
    this.#aheadMs += ms;
  }
}

/** One run of a process, which may be halted and killed. What happens to it waits, or never happens. */
export class Life {
  readonly name: string;
  readonly #schedule: Schedule;
  readonly #wall: WallClock;
  #state: 'up' | 'paused' | 'dead' = 'up';
  /** Since when it runs without having been halted. */
  upSince: number;
  #deferred: Event[] = [];
  #onDeath = new Set<() => void>();

  constructor(schedule: Schedule, name: string, wall: WallClock) {
    this.name = name;
    this.#schedule = schedule;
    this.#wall = wall;
    this.upSince = schedule.now;
  }

  get state(): 'up' | 'paused' | 'dead' {
    return this.#state;
  }

  /** Its own clock, whose timers die with it. */
  readonly clock: Clock = {
    now: () => this.#wall.now(),
    monotonic: () => this.#schedule.now,
    after: (ms, run) => {
      const event = this.#schedule.add(Math.max(0, ms), this, run, 'timer');
      return {
        cancel() {
          event.cancelled = true;
        },
      };
    },
  };

  /** Something reaches the process after so many milliseconds. */
  receives(ms: number, run: () => void): void {
    this.#schedule.add(ms, this, run);
  }

  /** Called when it is killed; returns what takes that back. */
  onDeath(run: () => void): () => void {
    this.#onDeath.add(run);
    return () => this.#onDeath.delete(run);
  }

  defer(event: Event): void {
    this.#deferred.push(event);
  }

  pause(): void {
    if (this.#state === 'up') this.#state = 'paused';
  }

  /** Goes on with what waited: first its timers, or first what has arrived. */
  resume(timersFirst: boolean): void {
    if (this.#state !== 'paused') return;
    this.#state = 'up';
    this.upSince = this.#schedule.now;
    const waited = this.#deferred;
    this.#deferred = [];
    for (const timers of [timersFirst, !timersFirst]) {
      for (const event of waited) {
        if ((event.kind === 'timer') === timers && !event.cancelled) this.#schedule.again(event);
      }
    }
  }

  kill(): void {
    if (this.#state === 'dead') return;
    this.#state = 'dead';
    this.#deferred = [];
    for (const run of [...this.#onDeath]) run();
  }
}

/** Everything that will happen, in the order of its time. Nothing else waits. */
export class Schedule {
  now = 0;
  /** How much of that was skipped. */
  skipped = 0;
  /** How many events have happened. */
  steps = 0;
  #order = 0;
  readonly #heap: Event[] = [];

  add(ms: number, life: Life | null, run: () => void, kind: Event['kind'] = 'message'): Event {
    const event = { at: this.now + ms, ms, order: this.#order++, life, kind, cancelled: false, run };
    this.#push(event);
    return event;
  }

  /** What waited for a halted process happens now. Cancelled meanwhile, it does not. */
  again(event: Event): void {
    const run = () => {
      if (!event.cancelled) event.run();
    };
    this.#push({ ...event, at: this.now, order: this.#order++, run });
  }

  /** Something happens outside of all processes. */
  later(ms: number, run: () => void): void {
    this.add(ms, null, run);
  }

  /** The same, decided beforehand. */
  planned(at: number, run: () => void): void {
    this.add(at - this.now, null, run, 'planned');
  }

  /**
   * Moves the time on to the next thing that will happen besides heartbeats, which stay as far ahead as they are, or to `before`. False when
   * something is under way or comes at once.
   */
  skip(before: number): boolean {
    const events = this.#heap.filter(({ cancelled, life }) => !cancelled && life?.state !== 'dead');
    let to = before;
    for (const { kind, ms, at } of events) {
      if (kind === 'message') return false;
      if (kind === 'planned') to = Math.min(to, at - warmMs);
      else if (ms > heartbeatMs) to = Math.min(to, at);
    }
    const skipped = to - this.now;
    if (skipped < 1) return false;
    this.#heap.length = 0;
    for (const event of events) {
      if (event.kind === 'timer' && event.ms <= heartbeatMs) event.at += skipped;
      this.#push(event);
    }
    this.now = to;
    this.skipped += skipped;
    return true;
  }

  /** Lets events happen, each with everything that follows from it at once, until `isOver` or until the next one would be after `until`. */
  async run(until: number, isOver: () => boolean): Promise<void> {
    // Promises can be settled from here alone, where none of their callbacks is running.
    await new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        try {
          while (!isOver() && this.#step(until));
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #step(until: number): boolean {
    for (;;) {
      const event = this.#heap[0];
      if (event === undefined || event.at > until) return false;
      this.#pop();
      if (event.cancelled || event.life?.state === 'dead') continue;
      this.now = Math.max(this.now, event.at);
      if (event.life?.state === 'paused') {
        event.life.defer(event);
        continue;
      }
      this.steps++;
      event.run();
      settlePromises();
      return true;
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || !isBefore(event, above)) break;
      heap[place] = above;
      place = parent;
    }
    heap[place] = event;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      let below = heap[child];
      if (below === undefined) break;
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, below)) {
        child++;
        below = right;
      }
      if (!isBefore(below, last)) break;
      heap[place] = below;
      place = child;
    }
    heap[place] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}
