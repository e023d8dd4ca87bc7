/** Hands messages over to another thread. */
export type PostAll<Message> = (messages: readonly Message[], transfer: ArrayBuffer[]) => void;

/**
 * Collects what one thread tells another within a turn of its event loop: waking the other thread for every message costs more than the message.
 */
export class MessageBatch<Message> {
  readonly #post: PostAll<Message>;
  readonly #unpostable: (message: Message, error: unknown) => void;
  #messages: Message[] = [];
  #transfer: ArrayBuffer[] = [];
  #scheduled = false;

  /** `unpostable` is told of a message that cannot be handed over; the others of its turn are. */
  constructor(post: PostAll<Message>, unpostable: (message: Message, error: unknown) => void) {
    this.#post = post;
    this.#unpostable = unpostable;
  }

  /** Goes along with the others of this turn, in order. The memory of `transfer` is handed over, not copied. */
  add(message: Message, transfer: readonly ArrayBuffer[] = []): void {
    this.#messages.push(message);
    this.#transfer.push(...transfer);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

  /** Hands over now what has been collected. */
  flush(): void {
    const messages = this.#messages;
    const transfer = this.#transfer;
    this.#messages = [];
    this.#transfer = [];
    this.#scheduled = false;
    if (messages.length === 0) return;
    try {
      this.#post(messages, transfer);
    } catch {
      for (const message of messages) this.#alone(message);
    }
  }

  #alone(message: Message): void {
    try {
      this.#post([message], []);
    } catch (error) {
      this.#unpostable(message, error);
    }
  }
}
