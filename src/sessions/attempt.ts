import type { Actor } from '../accounts/index.ts';
import { type Clock, withTimeout } from '../core/index.ts';
import type { Link, PasskeyState } from '../networks/index.ts';

/** How long a pairing code is waited for; it takes a round trip or two, and a caller is waiting. */
const pairingCodeMs = 10_000;

interface PairingCodeListener {
  onCode(): void;
  onFailure(error: unknown): void;
}

/** One pairing attempt as callers see it: from the request for a code to the scan or the end. */
export class Attempt {
  /** The person or key that started it. */
  readonly startedBy: Actor;
  #code: string | null = null;
  #shownAt: number | null = null;
  #expiresAt: number | null = null;
  #sequence = 0;
  #exhausted = false;
  #passkey: PasskeyState | null = null;
  #pairingCode: string | null = null;
  #asked: { readonly phoneNumber: string; readonly answer: Promise<boolean> } | null = null;

  constructor(startedBy: Actor) {
    this.startedBy = startedBy;
  }

  /** The code to show right now; null while the network has not given the first one, and after the end. */
  get code(): string | null {
    return this.#code;
  }

  /** When the code was first shown (epoch milliseconds); null without a code. */
  get shownAt(): number | null {
    return this.#shownAt;
  }

  /** When the next code replaces this one, or the attempt ends (epoch milliseconds); null without a code. */
  get expiresAt(): number | null {
    return this.#expiresAt;
  }

  /** The code to type on the phone instead of a scan; null when none was asked for or the network has none. */
  get pairingCode(): string | null {
    return this.#pairingCode;
  }

  /** Codes issued so far. */
  get sequence(): number {
    return this.#sequence;
  }

  /** True when it is over without a scan. */
  get exhausted(): boolean {
    return this.#exhausted;
  }

  /** How far linking with a passkey has come; null while the network asks for none. */
  get passkey(): PasskeyState | null {
    return this.#passkey;
  }

  /** The network shows another code in place of the one before. */
  show(code: string, sequence: number, expiresAt: number, now: number): void {
    this.#code = code;
    this.#shownAt = now;
    this.#expiresAt = expiresAt;
    this.#sequence = sequence;
  }

  /** The last code ran out. */
  exhaust(): void {
    this.#exhausted = true;
    this.#hideCodes();
  }

  /** Linking with a passkey goes on: there is nothing to scan any more. Once it has failed the attempt is over. */
  passkeyWent(state: PasskeyState): void {
    this.#passkey = state;
    this.#hideCodes();
    if (state.stage === 'failed') this.#exhausted = true;
  }

  #hideCodes(): void {
    this.#code = null;
    this.#shownAt = null;
    this.#expiresAt = null;
    this.#pairingCode = null;
  }

  /**
   * Asks for the pairing code of this phone number. A second call gets the same code, because a new one would make the first one invalid while
   * it is being typed. False when the network gives none in time, or fails (`onFailure` is then called); the code can be asked for again.
   * `onCode` is called when there is a new code, even after the time is up. Never throws.
   */
  requestPairingCode(
    link: Link,
    phoneNumber: string,
    { clock, ...listener }: { readonly clock: Clock } & PairingCodeListener,
  ): Promise<boolean> {
    if (this.#asked?.phoneNumber !== phoneNumber) this.#asked = { phoneNumber, answer: this.#ask(link, phoneNumber, listener) };
    return withTimeout(clock, pairingCodeMs, this.#asked.answer, () => false);
  }

  async #ask(link: Link, phoneNumber: string, { onCode, onFailure }: PairingCodeListener): Promise<boolean> {
    try {
      const pairingCode = await link.requestPairingCode(phoneNumber);
      if (this.#asked?.phoneNumber === phoneNumber && !this.#exhausted && this.#passkey === null) {
        this.#pairingCode = pairingCode;
        if (pairingCode !== null) onCode();
      }
      return true;
    } catch (error) {
      if (this.#asked?.phoneNumber === phoneNumber) this.#asked = null;
      onFailure(error);
      return false;
    }
  }
}
