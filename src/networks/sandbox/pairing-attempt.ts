import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, Timer } from '../../core/index.ts';

/** How long each code of an attempt is shown, in milliseconds; after the last one the attempt is exhausted. */
const codeLifetimesMs = [60_000, 20_000, 20_000, 20_000, 20_000];

/** How many codes one attempt shows. */
export const rotationLimit = codeLifetimesMs.length;

const pairingCodeAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const pairingCodeLength = 8;

/** What an attempt tells its link. */
export interface PairingListener {
  /** A new code replaces the one before. `sequence` counts from 1; `expiresAt` is in epoch milliseconds. */
  codeShown(code: string, sequence: number, expiresAt: number): void;
  /** The last code has expired. */
  exhausted(): void;
}

/** One attempt to link a phone: a row of codes, each replacing the one before, until one is scanned or the last has expired. */
export class PairingAttempt {
  readonly #clock: Clock;
  readonly #listener: PairingListener;
  #sequence = 0;
  #code: string | null = null;
  #typed: { code: string; phoneNumber: string } | null = null;
  #timer: Timer | null = null;

  constructor(clock: Clock, listener: PairingListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Shows the first code, before it returns. Call it once. */
  begin(): void {
    this.#showNext();
  }

  /** A code to type on the phone with this number (digits), good until the attempt ends or the next one is asked for. */
  typedCode(phoneNumber: string): string {
    let code = '';
    while (code.length < pairingCodeLength) code += pairingCodeAlphabet[randomInt(pairingCodeAlphabet.length)];
    this.#typed = { code, phoneNumber };
    return code;
  }

  /** True when a phone with this number may link with this code; that ends the attempt. */
  accept(code: string, phoneNumber: string): boolean {
    const scanned = code === this.#code;
    const typed = this.#typed !== null && code === this.#typed.code && phoneNumber === this.#typed.phoneNumber;
    if (!scanned && !typed) return false;
    this.stop();
    return true;
  }

  /** Ends the attempt; its codes are worth nothing any more. */
  stop(): void {
    this.#timer?.cancel();
    this.#timer = null;
    this.#code = null;
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
    this.#code = code;
    this.#timer = this.#clock.after(lifetime, () => this.#showNext());
    this.#listener.codeShown(code, this.#sequence, this.#clock.now() + lifetime);
  }
}
