import { type Clock, withTimeout } from '../core/index.ts';
import type { Link } from '../networks/index.ts';

/** How long a pairing code is waited for; it takes a round trip or two, and a caller is waiting. */
const pairingCodeMs = 10_000;

/** One pairing attempt as callers see it, from the wish for a code until a scan or the end. */
export class Attempt {
  #code: string | null = null;
  #sequence = 0;
  #exhausted = false;
  #passkeyRequired = false;
  #pairingCode: string | null = null;
  #asked: { readonly phoneNumber: string; readonly answer: Promise<boolean> } | null = null;

  /** The code to show right now; null while the network has not given the first one, and after the end. */
  get code(): string | null {
    return this.#code;
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

  /** True when it is over because the network wants a passkey from the phone, which cannot be given here. */
  get passkeyRequired(): boolean {
    return this.#passkeyRequired;
  }

  /** The network shows another code in place of the one before. */
  show(code: string, sequence: number): void {
    this.#code = code;
    this.#sequence = sequence;
  }

  /** The last code ran out. */
  exhaust(): void {
    this.#exhausted = true;
    this.#code = null;
    this.#pairingCode = null;
  }

  /** The network asked for a passkey: whatever is scanned now fails. */
  requirePasskey(): void {
    this.#passkeyRequired = true;
    this.exhaust();
  }

  /**
   * Asks for the pairing code of this phone number, once: who asks again gets the same code, since a new one would void what is being typed.
   * False when the network fails to give one, after telling `onFailure`, or does not in time; it may then be asked for again. Never throws.
   */
  requestPairingCode(
    link: Link,
    phoneNumber: string,
    { clock, onFailure }: { readonly clock: Clock; onFailure(error: unknown): void },
  ): Promise<boolean> {
    if (this.#asked?.phoneNumber !== phoneNumber) this.#asked = { phoneNumber, answer: this.#ask(link, phoneNumber, onFailure) };
    return withTimeout(clock, pairingCodeMs, this.#asked.answer, () => false);
  }

  async #ask(link: Link, phoneNumber: string, onFailure: (error: unknown) => void): Promise<boolean> {
    try {
      const pairingCode = await link.requestPairingCode(phoneNumber);
      if (this.#asked?.phoneNumber === phoneNumber && !this.#exhausted) this.#pairingCode = pairingCode;
      return true;
    } catch (error) {
      if (this.#asked?.phoneNumber === phoneNumber) this.#asked = null;
      onFailure(error);
      return false;
    }
  }
}
