import { LRUCache } from 'lru-cache';
import type { WhatsAppMessage } from '../encoding/index.ts';

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
  readonly #messages: LRUCache<string, SentMessage>;

  constructor(maximumBytes: number) {
    this.#messages = new LRUCache({ maxSize: maximumBytes, sizeCalculation: (message) => overheadBytes + sizeOf(message) });
  }

  remember(instanceId: string, messageId: string, message: SentMessage): void {
    this.#messages.set(`${instanceId} ${messageId}`, message);
  }

  find(instanceId: string, messageId: string): SentMessage | undefined {
    return this.#messages.get(`${instanceId} ${messageId}`);
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
