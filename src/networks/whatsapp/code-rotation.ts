import type { Clock, Timer } from '../../core/index.ts';

/** How long each code of an attempt is shown, in milliseconds, as WhatsApp's own clients do; after the last one the attempt is exhausted. */
const codeLifetimesMs = [60_000, 20_000, 20_000, 20_000, 20_000, 20_000];

/** How many codes one attempt shows. */
export const rotationLimit = codeLifetimesMs.length;

/** What a rotation tells its link. */
interface RotationListener {
  /** A new code replaces the one before. `sequence` counts from 1; `expiresAt` is in epoch milliseconds. */
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

  /** True while the last code is on show. */
  get onLastCode(): boolean {
    return this.#shown === this.#codes.length;
  }

  /** Shows the first code, before it returns. Call it once. */
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

  /** Puts other codes in the places of these; the one on show is replaced at once and lives no longer for it. */
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
