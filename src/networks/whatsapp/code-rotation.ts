import type { Clock, Timer } from '../../core/index.ts';

/** How long each code of an attempt is shown, in milliseconds, as in WhatsApp's own clients. The attempt ends after the last one. */
const codeLifetimesMs = [60_000, 20_000, 20_000, 20_000, 20_000, 20_000];

export const rotationLimit = codeLifetimesMs.length;

interface RotationListener {
  /** A new code replaces the previous one. `sequence` counts from 1; `expiresAt` is in epoch milliseconds. */
  codeShown(code: string, sequence: number, expiresAt: number): void;
  /** The last code has expired. */
  exhausted(): void;
}

/** Shows the codes of one attempt, one after another. */
export class CodeRotation {
  readonly #clock: Clock;
  #codes: readonly string[];
  readonly #listener: RotationListener;
  #shown = 0;
  #timer: Timer | null = null;
  #expiresAt = 0;

  constructor(clock: Clock, codes: readonly string[], listener: RotationListener) {
    this.#clock = clock;
    this.#codes = codes.slice(0, rotationLimit);
    this.#listener = listener;
  }

  /** True while the last code is shown. */
  get onLastCode(): boolean {
    return this.#shown === this.#codes.length;
  }

  /** Shows the first code before it returns. May be called only once. */
  begin(): void {
    const lifetime = codeLifetimesMs[this.#shown];
    const code = this.#codes[this.#shown];
    if (code === undefined || lifetime === undefined) {
      this.#listener.exhausted();
      return;
    }
    this.#shown++;
    this.#timer = this.#clock.after(lifetime, () => this.begin());
    this.#expiresAt = this.#clock.now() + lifetime;
    this.#listener.codeShown(code, this.#shown, this.#expiresAt);
  }

  /** Replaces all codes. The code being shown is replaced at once, with the same expiry time. */
  redraw(codes: readonly string[]): void {
    this.#codes = codes.slice(0, rotationLimit);
    const code = this.#codes[this.#shown - 1];
    if (code !== undefined) this.#listener.codeShown(code, this.#shown, this.#expiresAt);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
  }
}
