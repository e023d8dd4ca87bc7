import { proto } from 'baileys';
import { LRUCache } from 'lru-cache';
import type { WhatsAppMessage } from '../encoding/index.ts';
import { decodeRecord, encodeRecord } from '../library/record-encoding.ts';

/** A message as it was sent. */
export interface SentMessage {
  /** JID of the recipient. */
  readonly to: string;
  /** The recipient's address in the other namespace; `to` itself where none is known. */
  readonly alias: string;
  /** The device numbers of the recipient; 0 is the phone. */
  readonly devices: readonly number[];
  readonly message: WhatsAppMessage;
}

/** The estimated memory of a message besides its texts and bytes. */
const overheadBytes = 500;

/** The most recent messages of all links of a worker. Limited by an estimate of their memory. */
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

  forget(instanceId: string, messageId: string): void {
    this.#messages.delete(`${instanceId} ${messageId}`);
  }
}

/** Encodes a sent message. */
export function encodeSent({ message: { message, ...rest }, ...sent }: SentMessage): Uint8Array {
  return encodeRecord('structured', { ...sent, rest, bytes: proto.Message.encode(message).finish() });
}

/** Decodes a sent message. Throws when a newer version of the gateway has written it. */
export function decodeSent(bytes: Uint8Array): SentMessage {
  type Encoded = Omit<SentMessage, 'message'> & { rest: Omit<WhatsAppMessage, 'message'>; bytes: Uint8Array };
  const { rest, bytes: message, ...sent } = decodeRecord(bytes) as Encoded;
  return { ...sent, message: { ...rest, message: proto.Message.decode(message) } };
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length * 2;
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const part of Object.values(value)) bytes += sizeOf(part);
  return bytes;
}
