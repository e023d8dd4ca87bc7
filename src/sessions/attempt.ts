import type { Actor } from '../accounts/index.ts';
import { type Clock, withTimeout } from '../core/index.ts';
import type { Link, PasskeyState } from '../networks/index.ts';

/** How long a pairing code is waited for; it takes a round trip or two, and a caller is waiting. */
const pairingCodeMs = 10_000;

interface PairingCodeListener {
  onCode(): void;
  onFailure(error: unknown): void;
}

/** One pairing attempt as callers see it, from the wish for a code until a scan or the end. */
export class Attempt {
  /** Who wanted it. */
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

  /** To be typed on the phone instead; null where nobody asked for one or the network has none. */
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
   * Asks for the pairing code of this phone number, once: who asks again gets the same code, since a new one would void what is being typed.
   * False when the network fails to give one, after telling `onFailure`, or does not in time; it may then be asked for again. Never throws.
   * `onCode` is told when there is a new code to type, however late.
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
