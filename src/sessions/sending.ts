import { OwnershipLost } from '../core/index.ts';
import type { Link, OutgoingMessage, Reachability, SendOutcome } from '../networks/index.ts';
import type { NumberParts } from './session-parts.ts';

/** How long a send waits for a number that is reconnecting, in milliseconds (decisions §5). */
const reconnectWaitMs = 5_000;
const notSent: SendOutcome = { outcome: 'not_sent' };

/** Sends over one number's connection, or over its next one. */
export class Sending {
  readonly #parts: NumberParts;

  constructor(parts: NumberParts) {
    this.#parts = parts;
  }

  /** See `Session.moved`. */
  get moved(): boolean {
    const { state, record } = this.#parts;
    return record.lease !== null && state.linked && (state.stopped || !record.isHeld);
  }

  /** See `Session.send`. */
  send(message: OutgoingMessage): Promise<SendOutcome> {
    const { chatBudgets, record } = this.#parts;
    if (chatBudgets.budget(record.id) === null) return this.#send(message);
    return chatBudgets.send(record.id, message, { knows: () => this.#knows(message.to), send: () => this.#send(message) });
  }

  /** See `Session.check`. */
  async check(numbers: readonly string[]): Promise<Reachability[]> {
    await this.#untilConnected(reconnectWaitMs);
    if (this.moved) throw new OwnershipLost();
    const { status, connection } = this.#parts.state;
    if (status !== 'open' || connection === null) return numbers.map(() => ({ reachable: null, networkNumber: null }));
    return connection.check(numbers);
  }

  /** Whether there is a chat with this number (digits) already; null when there is no open link that could be asked. */
  async #knows(number: string): Promise<boolean | null> {
    const { state } = this.#parts;
    await this.#untilConnected(reconnectWaitMs);
    return state.status === 'open' && state.connection !== null ? state.connection.knows(number) : null;
  }

  #send(message: OutgoingMessage): Promise<SendOutcome> {
    if (this.moved) return Promise.resolve(notSent);
    const { status, connection } = this.#parts.state;
    if (status !== 'open' || connection === null) return this.#sendLater(message, null);
    return connection.send(message).then((sent) => (sent.outcome === 'not_open' ? this.#sendLater(message, connection) : sent));
  }

  /** Sends over the next connection that accepts the message; `tried` did not. */
  async #sendLater(message: OutgoingMessage, tried: Link | null): Promise<SendOutcome> {
    const { state, clock } = this.#parts;
    const giveUpAt = clock.monotonic() + reconnectWaitMs;
    let closing = tried;
    for (let left = reconnectWaitMs; left > 0; left = giveUpAt - clock.monotonic()) {
      const { status, connection } = state;
      if (state.stopped || this.moved) return notSent;
      if (status === 'connecting') await this.#untilConnected(left);
      else if (status !== 'open' || connection === null) return notSent;
      else if (connection === closing) await state.until(() => state.connection !== connection || state.status !== 'open', left);
      else {
        const sent = await connection.send(message);
        if (sent.outcome !== 'not_open') return sent;
        closing = connection;
      }
    }
    return notSent;
  }

  #untilConnected(waitMs: number): Promise<void> {
    const { state } = this.#parts;
    return state.until(() => state.status !== 'connecting' || state.stopped, waitMs);
  }
}
