import { systemClock, withTimeout } from '../../../../core/index.ts';
import type { Outbox, Ready, Written } from './outbox.ts';
import type { Device, Recipient, Unreachable } from './recipients.ts';

/** The result of handing a message over: null when it did not get its turn in time and will not be sent. */
export type HandedOver = { readonly recipient: Recipient; readonly own: readonly Device[]; readonly written: Written } | Unreachable | null;

/** Puts messages into the outbox when they are ready, each within a limited time. */
export class HandOver {
  readonly #outbox: Outbox;
  readonly #withinMs: number;
  readonly #endings = new Set<() => void>();

  constructor(outbox: Outbox, withinMs: number) {
    this.#outbox = outbox;
    this.#withinMs = withinMs;
  }

  /**
   * Sends a message when it is ready and the previous one has had its turn; `passOn` is called when this one has had its own. Rejects when the
   * message could not be prepared.
   */
  async take(preparing: Promise<Ready | Unreachable>, previous?: Promise<unknown>, passOn?: () => void): Promise<HandedOver> {
    let late = false;
    let abandon = null as (() => void) | null;
    const handedOver = (async () => {
      const [prepared] = await Promise.all([preparing, previous]);
      if (typeof prepared === 'string') return prepared;
      if (late) return null;
      const entry = this.#outbox.put(prepared);
      abandon = entry.abandon;
      passOn?.();
      return { recipient: prepared.recipient, own: prepared.own, written: await entry.written };
    })();
    const result = await this.#inTime(handedOver);
    if (result !== 'late') return result;
    late = true;
    if (abandon === null) return null;
    abandon();
    // Settles soon in either case: the message may have been written in this very turn.
    return handedOver;
  }

  /** Ends all waits at once. */
  close(): void {
    for (const end of this.#endings) end();
  }

  /** The promise's value; `late` when the time is up or the connection has ended. */
  #inTime<T>(promise: Promise<T>): Promise<T | 'late'> {
    const ended = Promise.withResolvers<'late'>();
    const end = () => ended.resolve('late');
    this.#endings.add(end);
    const either = Promise.race([promise, ended.promise]);
    return withTimeout<T | 'late'>(systemClock, this.#withinMs, either, () => 'late').finally(() => this.#endings.delete(end));
  }
}
