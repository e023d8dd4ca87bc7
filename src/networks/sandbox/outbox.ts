import type { Store } from '../../store/index.ts';
import type { OutgoingMessage } from '../index.ts';
import type { DeliveredFiles } from './files/files.ts';
import { type Delivery, toRow } from './message-row.ts';

/** Stores messages in their chats: each one after its file, and those to one contact in the order of the calls. */
export class Outbox {
  readonly #deliver: Store['deliverToSandbox'];
  readonly #files: DeliveredFiles;
  /** By chat: the last message that waits for its own file or for an earlier message. */
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(deliver: Store['deliverToSandbox'], files: DeliveredFiles) {
    this.#deliver = deliver;
    this.#files = files;
  }

  /** False when the contact already has that message id. Rejects when the store fails; throws when the content cannot be written as JSON. */
  deliver(delivery: Delivery, message: OutgoingMessage): Promise<boolean> {
    const row = toRow(delivery, message);
    const chat = `${delivery.accountId} ${delivery.to}`;
    const before = this.#waiting.get(chat);
    if (before === undefined && message.media === null) return this.#deliver(row);

    const kept = message.media === null ? null : this.#files.keep(delivery.accountId, message.media, delivery.at);
    // Wrapped in an object, so that the next message waits only for this call to begin, not for its result.
    const called = Promise.all([before, kept]).then(() => ({ delivered: this.#deliver(row) }));
    const end = () => {
      if (this.#waiting.get(chat) === turn) this.#waiting.delete(chat);
    };
    const turn: Promise<void> = called.then(end, end);
    this.#waiting.set(chat, turn);
    return called.then(({ delivered }) => delivered);
  }
}
