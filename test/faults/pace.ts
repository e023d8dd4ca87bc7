/** Says when a load may begin something new: a burst at once, then so many a second, and a new burst whenever it is told. */
export class Pace {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #at = performance.now();

  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.#burst = burst;
    this.#perMs = perSecond / 1000;
    this.#left = burst;
  }

  /** Whether one more may begin now. */
  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(this.#burst, this.#left + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left--;
    return true;
  }

  /** A whole burst may begin now. */
  refill(): void {
    this.#left = this.#burst;
    this.#at = performance.now();
  }
}
