import { type Clock, GatewayError } from '../core/index.ts';

/** How many requests may wait for the send of one key, and for all of them together. */
const mostPerName = 64;
const mostInAll = 1000;
const longestWaitMs = 60_000;
/** How often to look whether a send on another server has ended. */
const lookAgainMs = 250;

/** The keyed sends of this process that are under way, so that a duplicate can wait for the first one's outcome (decisions §3). */
export class InFlight {
  readonly #clock: Clock;
  /** The promise that waiting requests of each name share; null when none waits, which costs nothing. */
  readonly #running = new Map<string, PromiseWithResolvers<void> | null>();
  readonly #waiting = new Map<string, number>();
  #waitingInAll = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins the send of this name; false when one is under way already. */
  begin(name: string): boolean {
    if (this.#running.has(name)) return false;
    this.#running.set(name, null);
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
        await this.#ended(name, left, caller);
        if (caller.aborted) throw callerGone();
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
    await this.#pause(lookAgainMs, caller);
    if (caller.aborted) throw callerGone();
  }

  /** The name is free again. */
  end(name: string): void {
    const waited = this.#running.get(name);
    this.#running.delete(name);
    waited?.resolve();
  }

  /** Resolves when the send of this name has ended, the time is up, or the caller has gone. */
  async #ended(name: string, waitMs: number, caller: AbortSignal): Promise<void> {
    const running = this.#running.get(name) ?? Promise.withResolvers<void>();
    this.#running.set(name, running);
    await this.#pause(waitMs, caller, running.promise);
  }

  /** Resolves when the time is up, the caller has gone, or `event` has come. */
  async #pause(ms: number, caller: AbortSignal, event?: Promise<void>): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.after(ms, resolve);
    const leave = () => resolve();
    caller.addEventListener('abort', leave);
    void event?.then(leave);
    if (!caller.aborted) await promise;
    timer.cancel();
    caller.removeEventListener('abort', leave);
  }
}

function callerGone(): GatewayError {
  return new GatewayError('upstream_unavailable', 'The caller went away before its turn came; nothing was sent.');
}

function stillSending(): GatewayError {
  return new GatewayError('upstream_unavailable', 'A request with this Idempotency-Key is still being sent; ask again with the same key.');
}
