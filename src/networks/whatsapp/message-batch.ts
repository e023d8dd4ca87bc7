export type PostAll<Message> = (messages: readonly Message[], transfer: ArrayBuffer[]) => void;

/**
 * Collects the messages that one thread posts to another within one turn of its event loop, because waking the other thread for every message costs
 * more than handling the message.
 */
export class MessageBatch<Message> {
  readonly #post: PostAll<Message>;
  readonly #unpostable: (message: Message, error: unknown) => void;
  #messages: Message[] = [];
  #transfer: ArrayBuffer[] = [];
  #scheduled = false;

  /** `unpostable` is called with a message that cannot be posted; the other messages of its turn still are. */
  constructor(post: PostAll<Message>, unpostable: (message: Message, error: unknown) => void) {
    this.#post = post;
    this.#unpostable = unpostable;
  }

  /** Adds a message to the batch of this turn, in order. The memory in `transfer` is moved to the other thread, not copied. */
  add(message: Message, transfer: readonly ArrayBuffer[] = []): void {
    this.#messages.push(message);
    this.#transfer.push(...transfer);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.flush());
  }

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
