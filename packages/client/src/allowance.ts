/** What is left of a rate limit, as the headers of the last answer say. */
export class Allowance {
  #remaining = Number.POSITIVE_INFINITY;
  #risesAt = 0;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Takes in the headers of an answer of the scope. `others` are requests on their way, which may not be counted in them yet. */
  read(headers: Headers, others: number): void {
    const remaining = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN);
    const reset = Number(headers.get('x-ratelimit-reset') ?? Number.NaN);
    if (Number.isNaN(remaining) || Number.isNaN(reset)) return;
    this.#remaining = remaining - others;
    this.#risesAt = this.#now() + reset * 1000;
  }

  /** Takes one request, if there is one. */
  take(): boolean {
    if (this.#remaining < 1) return false;
    this.#remaining -= 1;
    return true;
  }

  /** Milliseconds until one more may be sent; it can be taken then. */
  untilNext(): number {
    return Math.max(0, this.#risesAt - this.#now());
  }

  /** The oldest request has left the window. */
  rise(): void {
    this.#remaining = Math.max(this.#remaining, 1);
  }
}
