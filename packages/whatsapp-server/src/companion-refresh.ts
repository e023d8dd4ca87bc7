import type { PairingNotices } from './pairing-notices.ts';
import type { QrContent } from './qr-code.ts';

/** Returns the codes on a screen that a phone can look at. */
export type Screen = () => Iterable<string>;

/**
 * When a phone scans, the real network has done this since July 2026: it asks the device for a new secret, and the phone links only when it has
 * scanned the code again, with the same reference and the new secret.
 */
export class CompanionRefresh {
  readonly #notices: PairingNotices;
  readonly #problem: (text: string) => void;
  #before: { readonly ref: string; readonly secret: Buffer } | null = null;

  constructor(options: { notices: PairingNotices; problem: (text: string) => void }) {
    this.#notices = options.notices;
    this.#problem = options.problem;
  }

  /** A phone has scanned this code. True when it has to scan again. Throws when another code should have been scanned. */
  demanded(qr: QrContent): boolean {
    if (this.#before === null) {
      this.#before = { ref: qr.ref, secret: qr.advSecret };
      this.ask();
      return true;
    }
    if (qr.advSecret.equals(this.#before.secret)) return this.#refuse('a code was scanned again whose secret was to be replaced');
    if (qr.ref !== this.#before.ref) return this.#refuse('a code was scanned again that has another reference');
    return false;
  }

  /** Whether this is the code to scan after the refresh. */
  replaces(qr: QrContent): boolean {
    return this.#before !== null && qr.ref === this.#before.ref && !qr.advSecret.equals(this.#before.secret);
  }

  ask(): void {
    this.#notices.send('companion_reg_refresh', [{ tag: 'pair-device-rotate-qr', attrs: {} }]);
  }

  #refuse(problem: string): never {
    this.#problem(problem);
    throw new Error(problem);
  }
}
