/** What is left of a rate limit, as the headers of the last answer say. */
export class Allowance {
  #remaining = Number.POSITIVE_INFINITY;
  #risesAt = 0;
  #begun = 0;
  #onTheirWay = 0;
  /** The last request that was on its way beside another. */
  #amongOthers = 0;

  /** A request goes on its way; its number is for `end`. */
  begin(): number {
    this.#begun += 1;
    if (this.#onTheirWay > 0) this.#amongOthers = this.#begun;
    this.#onTheirWay += 1;
    return this.#begun;
  }

  /**
   * Takes in the headers of its answer; null: there are none of this limit. Answers are read in another order than they were given, and say nothing
   * of what came after them. So only a request that was alone on its way can raise the allowance.
   */
  end(number: number, headers: Headers | null): void {
    this.#onTheirWay -= 1;
    const remaining = Number(headers?.get('x-ratelimit-remaining') ?? Number.NaN);
    const reset = Number(headers?.get('x-ratelimit-reset') ?? Number.NaN);
    if (Number.isNaN(remaining) || Number.isNaN(reset)) return;
    this.#remaining = number > this.#amongOthers ? remaining : Math.min(this.#remaining, remaining - this.#onTheirWay);
    this.#risesAt = performance.now() + reset * 1000;
  }

  /** Takes one request, if there is one. */
  take(): boolean {
    if (this.#remaining < 1) return false;
    this.#remaining -= 1;
    return true;
  }

  /** Milliseconds until one more may be sent; it can be taken then. */
  untilNext(): number {
    return Math.max(0, this.#risesAt - performance.now());
  }

  /** The oldest request has left the window. */
  rise(): void {
    this.#remaining = Math.max(this.#remaining, 1);
  }
}
