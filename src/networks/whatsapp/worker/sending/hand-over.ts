import { Deadlines, systemClock } from '../../../../core/index.ts';
import type { Outbox, Ready, Written } from './outbox.ts';
import type { Device, Recipient, Unreachable } from './recipients.ts';

/** What came of handing a message over: null when it did not get its turn in time, and will not any more. */
export type HandedOver = { readonly recipient: Recipient; readonly own: readonly Device[]; readonly written: Written } | Unreachable | null;

/** Brings messages into the outbox as they become ready, each within a bounded time. */
export class HandOver {
  readonly #outbox: Outbox;
  readonly #deadlines: Deadlines;
  readonly #endings = new Set<() => void>();

  constructor(outbox: Outbox, withinMs: number) {
    this.#outbox = outbox;
    this.#deadlines = new Deadlines(systemClock, withinMs);
  }

  /**
   * Puts a message on the wire when it is ready and the one before has had its turn; `passOn` is called when this one has had its own.
   * Rejects when it could not be made ready.
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
    // Settled by now, one way or the other: it may have been written in this very turn.
    return handedOver;
  }

  /** Ends every wait at once. */
  close(): void {
    for (const end of this.#endings) end();
  }

  /** The promise's value, or `late` when the time is up or the connection has ended. */
  #inTime<T>(promise: Promise<T>): Promise<T | 'late'> {
    const ended = Promise.withResolvers<'late'>();
    const end = () => ended.resolve('late');
    this.#endings.add(end);
    return this.#deadlines.race<T | 'late'>(Promise.race([promise, ended.promise]), 'late').finally(() => this.#endings.delete(end));
  }
}
