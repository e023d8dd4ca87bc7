import { proto } from 'baileys';
import { LRUCache } from 'lru-cache';
import type { WhatsAppMessage } from '../../encoding/encoded-message.ts';
import { decodeRecord, encodeRecord } from '../../library/record-encoding.ts';

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

/** The devices that have not confirmed a message yet, and whose devices they are. */
export interface Unconfirmed {
  /** The user parts of the recipient's JIDs. */
  readonly users: readonly string[];
  readonly devices: readonly number[];
}

/** A message in memory. */
export interface Remembered {
  readonly message: Uint8Array;
  readonly unconfirmed: Unconfirmed;
}

/** The estimated memory of a message besides its bytes. */
const overheadBytes = 800;

/** The most recent messages of all links of a worker, encoded. Limited by an estimate of their memory. */
export class SentMessages {
  readonly #messages: LRUCache<string, Remembered>;

  constructor(maximumBytes: number) {
    this.#messages = new LRUCache({ maxSize: maximumBytes, sizeCalculation: ({ message }) => overheadBytes + message.length });
  }

  remember(instanceId: string, messageId: string, remembered: Remembered): void {
    this.#messages.set(`${instanceId} ${messageId}`, remembered);
  }

  find(instanceId: string, messageId: string): Remembered | undefined {
    return this.#messages.get(`${instanceId} ${messageId}`);
  }

  forget(instanceId: string, messageId: string): void {
    this.#messages.delete(`${instanceId} ${messageId}`);
  }
}

/** Encodes a sent message for memory and store. */
export function encodeSent({ message: { message, ...rest }, ...sent }: SentMessage): Uint8Array {
  return encodeRecord('structured', { ...sent, rest, bytes: proto.Message.encode(message).finish() });
}

/** Decodes a sent message. Throws when a newer version of the gateway has written it. */
export function decodeSent(bytes: Uint8Array): SentMessage {
  type Encoded = Omit<SentMessage, 'message'> & { rest: Omit<WhatsAppMessage, 'message'>; bytes: Uint8Array };
  const { rest, bytes: message, ...sent } = decodeRecord(bytes) as Encoded;
  return { ...sent, message: { ...rest, message: proto.Message.decode(message) } };
}
