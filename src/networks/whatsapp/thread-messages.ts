type PostAll<Message> = (messages: readonly Message[], transfer: ArrayBuffer[]) => void;

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

/**
 * Named records of bytes in one block of memory, which can be moved between threads without copying. Cloning small Buffers one by one would copy the
 * whole pool behind each of them.
 */
export interface PackedRecords {
  readonly names: readonly string[];
  /** The length of each record in `bytes`, where the records follow one another. -1 means that the record is to be deleted. */
  readonly sizes: readonly number[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export function packRecords(records: ReadonlyMap<string, Uint8Array | null>): PackedRecords {
  let total = 0;
  for (const record of records.values()) total += record?.length ?? 0;
  const bytes = new Uint8Array(total);
  const sizes: number[] = [];
  let offset = 0;
  for (const record of records.values()) {
    sizes.push(record?.length ?? -1);
    if (record === null) continue;
    bytes.set(record, offset);
    offset += record.length;
  }
  return { names: [...records.keys()], sizes, bytes };
}

/** Unpacks the records. They share the memory of the packed block. */
export function unpackRecords({ names, sizes, bytes }: PackedRecords): Map<string, Uint8Array | null> {
  const records = new Map<string, Uint8Array | null>();
  let offset = 0;
  for (const [index, name] of names.entries()) {
    const size = sizes[index] ?? -1;
    records.set(name, size < 0 ? null : bytes.subarray(offset, offset + size));
    offset += Math.max(0, size);
  }
  return records;
}
