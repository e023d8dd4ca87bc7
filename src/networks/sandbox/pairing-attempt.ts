import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, Timer } from '../../core/index.ts';

/** How long each code of an attempt is shown, in milliseconds. The attempt ends after the last one. */
const codeLifetimesMs = [60_000, 20_000, 20_000, 20_000, 20_000];

export const rotationLimit = codeLifetimesMs.length;

const pairingCodeAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const pairingCodeLength = 8;

/** A code on show: `sequence` counts from 1 within the attempt, `expiresAt` is in epoch milliseconds. */
export interface ShownCode {
  readonly code: string;
  readonly sequence: number;
  readonly expiresAt: number;
}

export interface PairingListener {
  /** A new code replaces the previous one. */
  codeShown(shown: ShownCode): void;
  /** The last code has expired. */
  exhausted(): void;
}

/** One attempt to link a phone: it shows one code after another until one is scanned or the last has expired. */
export class PairingAttempt {
  readonly #clock: Clock;
  readonly #listener: PairingListener;
  #sequence = 0;
  #shown: ShownCode | null = null;
  #typed: { code: string; phoneNumber: string } | null = null;
  #timer: Timer | null = null;

  constructor(clock: Clock, listener: PairingListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Shows the first code before it returns. May be called only once. */
  begin(): void {
    this.#showNext();
  }

  /** The code on show; null before the first and after the end. */
  get shown(): ShownCode | null {
    return this.#shown;
  }

  /** A code to type on the phone with this number (digits). Valid until the attempt ends or another one is requested. */
  typedCode(phoneNumber: string): string {
    let code = '';
    while (code.length < pairingCodeLength) code += pairingCodeAlphabet[randomInt(pairingCodeAlphabet.length)];
    this.#typed = { code, phoneNumber };
    return code;
  }

  /** True when a phone with this number may link with this code; that ends the attempt. */
  accept(code: string, phoneNumber: string): boolean {
    const scanned = code === this.#shown?.code;
    const typed = this.#typed !== null && code === this.#typed.code && phoneNumber === this.#typed.phoneNumber;
    if (!scanned && !typed) return false;
    this.stop();
    return true;
  }

  /** Ends the attempt; its codes are no longer valid. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#shown = null;
    this.#typed = null;
  }

  #showNext(): void {
    const lifetime = codeLifetimesMs[this.#sequence];
    if (lifetime === undefined) {
      this.stop();
      this.#listener.exhausted();
      return;
    }
    const code = `sandbox@${randomBytes(24).toString('base64url')}`;
    this.#sequence++;
    this.#timer = this.#clock.after(lifetime, () => this.#showNext());
    this.#shown = { code, sequence: this.#sequence, expiresAt: this.#clock.now() + lifetime };
    this.#listener.codeShown(this.#shown);
  }
}
