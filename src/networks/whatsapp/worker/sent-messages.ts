import type { WhatsAppMessage } from './encoding/index.ts';

/** A message as it was sent. */
export interface SentMessage {
  /** JID of the recipient. */
  readonly to: string;
  readonly message: WhatsAppMessage;
}

/** What one message costs besides its texts and bytes. */
const overheadBytes = 500;

/** The messages sent last, for recipients that could not decrypt theirs and ask again. Bounded by an estimate of their memory. */
export class SentMessages {
  readonly #maximumBytes: number;
  readonly #messages = new Map<string, { readonly message: SentMessage; readonly bytes: number }>();
  #bytes = 0;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  remember(instanceId: string, messageId: string, message: SentMessage): void {
    const key = `${instanceId} ${messageId}`;
    this.#drop(key);
    const bytes = overheadBytes + sizeOf(message);
    this.#messages.set(key, { message, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#messages.keys()) {
      if (this.#bytes <= this.#maximumBytes) return;
      this.#drop(oldest);
    }
  }

  find(instanceId: string, messageId: string): SentMessage | undefined {
    return this.#messages.get(`${instanceId} ${messageId}`)?.message;
  }

  #drop(key: string): void {
    this.#bytes -= this.#messages.get(key)?.bytes ?? 0;
    this.#messages.delete(key);
  }
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 2;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const part of Object.values(value)) bytes += sizeOf(part);
  return bytes;
}
