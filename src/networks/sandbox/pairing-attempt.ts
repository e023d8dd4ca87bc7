import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from '../../core/index.ts';
import { CodeRotation, type ShownCode } from '../code-rotation.ts';

/** How long each code of an attempt is shown, in milliseconds. The attempt ends after the last one. */
const lifetimesMs = [60_000, 20_000, 20_000, 20_000, 20_000];

export const rotationLimit = lifetimesMs.length;

const pairingCodeAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const pairingCodeLength = 8;

/** One attempt to link a phone: it shows one code after another until one is scanned or the last has expired. */
export class PairingAttempt extends CodeRotation {
  #typed: { code: string; phoneNumber: string } | null = null;

  constructor(clock: Clock, events: { onCode(shown: ShownCode): void; onExhausted(): void }) {
    super({ clock, lifetimesMs, codes: lifetimesMs.map(() => `sandbox@${randomBytes(24).toString('base64url')}`), ...events });
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
    const scanned = code === this.shown?.code;
    const typed = this.#typed !== null && code === this.#typed.code && phoneNumber === this.#typed.phoneNumber;
    if (!scanned && !typed) return false;
    this.stop();
    return true;
  }

  override stop(): void {
    super.stop();
    this.#typed = null;
  }
}
