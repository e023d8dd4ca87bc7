import type { Clock, Timer } from '../core/index.ts';

/** A code on show: `sequence` counts from 1 within the attempt, `expiresAt` is in epoch milliseconds. */
export interface ShownCode {
  readonly code: string;
  readonly sequence: number;
  readonly expiresAt: number;
}

interface CodeRotationOptions {
  readonly clock: Clock;
  readonly codes: readonly string[];
  /** How long each code is shown, in milliseconds. The attempt ends after the last one. */
  readonly lifetimesMs: readonly number[];
  /** A new code replaces the previous one. */
  onCode(shown: ShownCode): void;
  /** The last code has expired. */
  onExhausted(): void;
}

/** Shows the QR codes of one pairing attempt, one after another. */
export class CodeRotation {
  readonly #options: CodeRotationOptions;
  #codes: readonly string[];
  #shown: ShownCode | null = null;
  #timer: Timer | null = null;

  constructor(options: CodeRotationOptions) {
    this.#options = options;
    this.#codes = options.codes;
  }

  /** The code on show; null before the first and after the end. */
  get shown(): ShownCode | null {
    return this.#shown;
  }

  /** True while the last code is shown. */
  get onLastCode(): boolean {
    return this.#shown?.sequence === Math.min(this.#codes.length, this.#options.lifetimesMs.length);
  }

  /** Shows the next code, the first one before it returns. */
  begin(): void {
    const { clock, lifetimesMs, onCode, onExhausted } = this.#options;
    const place = this.#shown?.sequence ?? 0;
    const [code, lifetime] = [this.#codes[place], lifetimesMs[place]];
    if (code === undefined || lifetime === undefined) {
      onExhausted();
      return;
    }
    this.#timer = clock.after(lifetime, () => this.begin());
    this.#shown = { code, sequence: place + 1, expiresAt: clock.now() + lifetime };
    onCode(this.#shown);
  }

  /** Replaces all codes. The code on show is replaced at once, with the same expiry time. */
  redraw(codes: readonly string[]): void {
    this.#codes = codes;
    const code = this.#shown === null ? undefined : codes[this.#shown.sequence - 1];
    if (this.#shown === null || code === undefined) return;
    this.#shown = { ...this.#shown, code };
    this.#options.onCode(this.#shown);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#shown = null;
  }
}
