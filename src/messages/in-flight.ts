import { type Clock, GatewayError, Signal } from '../core/index.ts';

/** How many requests may wait for the send of one key, and for all of them together. */
const mostPerName = 64;
const mostInAll = 1000;
const longestWaitMs = 60_000;
/** How often to look whether a send on another server has ended. */
const lookAgainMs = 250;

/** The keyed sends of this process that are under way, so that a duplicate can wait for the first one's outcome (decisions §3). */
export class InFlight {
  readonly #clock: Clock;
  readonly #running = new Set<string>();
  /** Notified whenever a send has ended. */
  readonly #ends: Signal;
  readonly #waiting = new Map<string, number>();
  #waitingInAll = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#ends = new Signal(clock);
  }

  /** Begins the send of this name; false when one is under way already. */
  begin(name: string): boolean {
    if (this.#running.has(name)) return false;
    this.#running.add(name);
    return true;
  }

  /**
   * Starts the send of this name when those under way have ended. Throws upstream_unavailable, with nothing begun, when too many wait already,
   * when it takes longer than a minute, and when the caller has gone.
   */
  async beginInTurn(name: string, caller: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(name) ?? 0;
    if (waiting >= mostPerName || this.#waitingInAll >= mostInAll) throw stillSending();
    this.#waiting.set(name, waiting + 1);
    this.#waitingInAll++;
    const giveUpAt = this.#clock.monotonic() + longestWaitMs;
    try {
      while (!this.begin(name)) {
        const left = giveUpAt - this.#clock.monotonic();
        if (left <= 0) throw stillSending();
        await this.#until(() => !this.#running.has(name), left, caller);
      }
    } finally {
      const others = (this.#waiting.get(name) ?? 1) - 1;
      if (others === 0) this.#waiting.delete(name);
      else this.#waiting.set(name, others);
      this.#waitingInAll--;
    }
  }

  /**
   * Resolves when it is time to look again whether another server's send has ended, of which this process learns nothing. Throws
   * upstream_unavailable a minute after `since`, by the stopwatch, and when the caller has gone.
   */
  async lookAgain(caller: AbortSignal, since: number): Promise<void> {
    if (this.#clock.monotonic() > since + longestWaitMs) throw stillSending();
    await this.#until(() => false, lookAgainMs, caller);
  }

  /** The name is free again. */
  end(name: string): void {
    this.#running.delete(name);
    this.#ends.notify();
  }

  /** Resolves when the condition is true or the time is up. Throws upstream_unavailable when the caller has gone. */
  async #until(condition: () => boolean, ms: number, caller: AbortSignal): Promise<void> {
    const leave = () => this.#ends.notify();
    caller.addEventListener('abort', leave);
    await this.#ends.until(() => caller.aborted || condition(), ms);
    caller.removeEventListener('abort', leave);
    if (caller.aborted) throw callerGone();
  }
}

function callerGone(): GatewayError {
  return new GatewayError('upstream_unavailable', 'The caller went away before its turn came; nothing was sent.');
}

function stillSending(): GatewayError {
  return new GatewayError('upstream_unavailable', 'A request with this Idempotency-Key is still being sent; ask again with the same key.');
}
