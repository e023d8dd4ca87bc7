import type { Clock, Timer } from '../../core/index.ts';
import type { PasskeyState } from '../index.ts';
import type { PasskeyEvent, PasskeyFailure } from './protocol.ts';

/** The default and the longest lifetime of the options, in milliseconds. */
const optionsMs = 600_000;
/** How long each later stage may take, in milliseconds, as in WhatsApp Web. */
const stageMs = 120_000;
/** How long the network accepts a proof that this device showed the scanned code, in milliseconds. */
const proofMs = 300_000;

const failureWords: Readonly<Record<PasskeyFailure, string>> = {
  no_options: 'WhatsApp asked for a passkey, but did not say which one.',
  refused: 'WhatsApp did not accept the passkey, or did not answer.',
  not_understood: "The phone's answer could not be understood.",
};

type Options = Readonly<Record<string, unknown>>;

/** Keeps the stage of linking with a passkey and its time limit. Reports the whole state at every change, and nothing more after a failure. */
export class PasskeyProgress {
  readonly #clock: Clock;
  readonly #onState: (state: PasskeyState) => void;
  #options: Options | null = null;
  #requestedAt: number;
  #timer: Timer | null = null;
  #over = false;
  #awaitsConfirmation = false;

  constructor(clock: Clock, onState: (state: PasskeyState) => void) {
    this.#clock = clock;
    this.#onState = onState;
    this.#requestedAt = clock.monotonic();
  }

  /** The WebAuthn options for the passkey that the network is waiting for; null when it is not. */
  get options(): Options | null {
    return this.#options;
  }

  /** Whether a person has to compare the codes. */
  get awaitsConfirmation(): boolean {
    return this.#awaitsConfirmation;
  }

  /** A person has compared the codes. Another call does nothing. */
  confirmed(): void {
    this.#awaitsConfirmation = false;
  }

  /** Whether the network still accepts a proof of the scanned code. */
  get provable(): boolean {
    return this.#clock.monotonic() - this.#requestedAt < proofMs;
  }

  /** An event from the worker. */
  onEvent(event: PasskeyEvent): void {
    if (this.#over) return;
    switch (event.type) {
      case 'passkey_requested': {
        const options = JSON.parse(event.options) as Options;
        this.#options = options;
        const ms = lifetimeOf(options);
        this.#enter({ stage: 'requested', options }, ms, 'Nobody gave the passkey in time.');
        return;
      }
      case 'passkey_signed':
        this.#options = null;
        this.#enter({ stage: 'signed' }, stageMs, 'WhatsApp took the passkey, but the phone did not go on within two minutes.');
        return;
      case 'passkey_code':
        this.#options = null;
        this.#awaitsConfirmation = true;
        this.#enter({ stage: 'confirming', confirmationCode: event.code }, stageMs, 'Nobody confirmed the code within two minutes.');
        return;
      case 'passkey_confirmed':
        this.#options = null;
        this.#awaitsConfirmation = false;
        this.#enter({ stage: 'confirming' }, stageMs, 'WhatsApp did not finish linking within two minutes.');
        return;
      case 'passkey_failed':
        this.fail(failureWords[event.failure]);
    }
  }

  fail(reason: string): void {
    if (this.#over) return;
    this.stop();
    this.#onState({ ...nothing, stage: 'failed', reason });
  }

  /** Stops without a report, because the number is linked or the link has ended. */
  stop(): void {
    this.#over = true;
    this.#options = null;
    this.#awaitsConfirmation = false;
    this.#timer?.cancel();
  }

  #enter(state: Partial<PasskeyState> & Pick<PasskeyState, 'stage'>, ms: number, late: string): void {
    this.#timer?.cancel();
    this.#timer = this.#clock.after(ms, () => this.fail(late));
    this.#onState({ ...nothing, ...state, expiresAt: this.#clock.now() + ms });
  }
}

const nothing = { options: null, expiresAt: null, confirmationCode: null, reason: null };

function lifetimeOf({ timeout }: Options): number {
  return typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, optionsMs) : optionsMs;
}
