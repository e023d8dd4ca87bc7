import type { Actor } from '../audit/index.ts';
import { type Clock, withTimeout } from '../core/index.ts';
import type { Link, PasskeyState } from '../networks/index.ts';

/** How long to wait for a pairing code, in milliseconds. It takes a round trip or two, and a caller is waiting. */
const pairingCodeMs = 10_000;

interface PairingCodeListener {
  onCode(): void;
  onFailure(error: unknown): void;
}

/** One pairing attempt as callers see it: from the request for a code to the scan or the end of the attempt. */
export class Attempt {
  /** The person or key that started it. */
  readonly startedBy: Actor;
  /** The code to show right now; null before the network has given the first one and after the attempt has ended. */
  code: string | null = null;
  /** When the code was first shown (epoch milliseconds); null without a code. */
  shownAt: number | null = null;
  /** When the next code replaces this one, or the attempt ends (epoch milliseconds); null without a code. */
  expiresAt: number | null = null;
  /** The code to type on the phone instead of scanning; null when none was requested or the network has none. */
  pairingCode: string | null = null;
  /** Codes issued so far. */
  sequence = 0;
  /** True when it has ended without a scan. */
  exhausted = false;
  /** The state of linking with a passkey; null when the network has not asked for one. */
  passkey: PasskeyState | null = null;
  #asked: { readonly phoneNumber: string; readonly answer: Promise<boolean> } | null = null;

  constructor(startedBy: Actor) {
    this.startedBy = startedBy;
  }

  /** A new code replaces the previous one. */
  show(code: string, sequence: number, expiresAt: number, now: number): void {
    this.code = code;
    this.shownAt = now;
    this.expiresAt = expiresAt;
    this.sequence = sequence;
  }

  exhaust(): void {
    this.exhausted = true;
    this.#hideCodes();
  }

  /** Linking with a passkey has reached another stage. There is no code to scan any more; after a failure the attempt is over. */
  onPasskey(state: PasskeyState): void {
    this.passkey = state;
    this.#hideCodes();
    if (state.stage === 'failed') this.exhausted = true;
  }

  #hideCodes(): void {
    this.code = null;
    this.shownAt = null;
    this.expiresAt = null;
    this.pairingCode = null;
  }

  /**
   * Requests the pairing code for this phone number. Another call returns the same code, because a new one would invalidate the first while a person
   * is typing it. False when the network gives none in time or fails (`onFailure` is then called); the caller may try again. `onCode` is called when
   * there is a new code, even after the time is up. Never throws.
   */
  requestPairingCode(
    connection: Link,
    phoneNumber: string,
    { clock, ...listener }: { readonly clock: Clock } & PairingCodeListener,
  ): Promise<boolean> {
    if (this.#asked?.phoneNumber !== phoneNumber) this.#asked = { phoneNumber, answer: this.#ask(connection, phoneNumber, listener) };
    return withTimeout(clock, pairingCodeMs, this.#asked.answer, () => false);
  }

  /** The network has replaced the pairing code. False when none is shown. */
  renewPairingCode(code: string): boolean {
    if (this.pairingCode === null) return false;
    this.pairingCode = code;
    return true;
  }

  async #ask(connection: Link, phoneNumber: string, { onCode, onFailure }: PairingCodeListener): Promise<boolean> {
    try {
      const pairingCode = await connection.requestPairingCode(phoneNumber);
      if (this.#asked?.phoneNumber === phoneNumber && !this.exhausted && this.passkey === null) {
        this.pairingCode = pairingCode;
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
