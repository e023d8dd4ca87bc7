import { proto } from 'baileys';
import { LRUCache } from 'lru-cache';
import type { WhatsAppMessage } from '../../encoding/encoded-message.ts';
import type { WorkerLog } from '../../library/library-log.ts';
import { decodeRecord, encodeRecord } from '../../library/record-encoding.ts';
import { deviceOf, userOf } from '../people.ts';

export interface SentMessage {
  /** JID of the recipient. */
  readonly to: string;
  /** The recipient's address in the other namespace; `to` itself where none is known. */
  readonly alias: string;
  /** The device numbers of the recipient; 0 is the phone. */
  readonly devices: readonly number[];
  readonly message: WhatsAppMessage;
}

interface Remembered {
  readonly message: Uint8Array;
  /** The user parts of the recipient's JIDs, and those of their devices that have not confirmed the message yet. */
  readonly users: readonly string[];
  readonly devices: readonly number[];
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

  forgetAll(instanceId: string): void {
    for (const key of this.#messages.keys()) if (key.startsWith(`${instanceId} `)) this.#messages.delete(key);
  }
}

/** Stores messages beyond the life of the process. */
interface SentStore {
  recall(messageIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array | null>>;
  forget(messageIds: readonly string[]): void;
}

interface KeptMessagesOptions {
  readonly instanceId: string;
  readonly memory: SentMessages;
  /** null when messages are kept in memory only. */
  readonly store: SentStore | null;
  readonly records: {
    /** Stores a message with the next write of the link's records, which every message waits for in any case. */
    takeAlong(messageId: string, message: Uint8Array): void;
  };
  readonly log: WorkerLog;
}

/** How long deletions are collected before they are carried out together, in milliseconds. */
const forgetMs = 500;
/** How many messages are read at once to handle confirmations of messages that are not in memory. */
const recallBatch = 200;

/**
 * The messages that a link has sent, for devices that could not read one and ask for it again (decisions §12). They are kept in memory, and in the
 * store until the recipient's devices have confirmed them.
 */
export class KeptMessages {
  readonly #options: KeptMessagesOptions;
  readonly #gone = new Set<string>();
  /** Confirmations of messages that are not in memory. */
  readonly #unknown: { readonly id: string; readonly by: string }[] = [];
  #forgetting: NodeJS.Timeout | null = null;
  #looking = false;

  constructor(options: KeptMessagesOptions) {
    this.#options = options;
  }

  /** Keeps a message that is about to be encrypted. It is stored together with its SignalRecords. */
  keep(id: string, sent: SentMessage): void {
    const { instanceId, memory, store, records } = this.#options;
    const message = encodeSent(sent);
    memory.remember(instanceId, id, rememberedOf(sent, message));
    this.#gone.delete(id);
    if (store !== null) records.takeAlong(id, message);
  }

  /** The same for a message that is about to go to further devices of its recipient, which are to confirm it too. */
  keepFor(id: string, sent: SentMessage, further: readonly number[]): void {
    const { instanceId, memory } = this.#options;
    const left = memory.find(instanceId, id)?.devices ?? sent.devices;
    this.keep(id, { ...sent, devices: [...new Set([...left, ...further])] });
  }

  /** The message; undefined when it is no longer kept. Rejects when the store fails. */
  async recall(id: string): Promise<SentMessage | undefined> {
    const { instanceId, memory, store } = this.#options;
    const remembered = memory.find(instanceId, id);
    if (remembered !== undefined) return decodeSent(remembered.message);
    if (store === null || this.#gone.has(id)) return undefined;
    const bytes = (await store.recall([id])).get(id);
    if (bytes === undefined || bytes === null) return undefined;
    return decodeSent(bytes);
  }

  /** Whether it is in memory, which shows that it was sent here. */
  isRemembered(id: string): boolean {
    return this.#options.memory.find(this.#options.instanceId, id) !== undefined;
  }

  /** The device with this JID has the message. `delivered`: this is its delivery receipt, which comes first. */
  confirmed(id: string, by: string, delivered: boolean): void {
    const { instanceId, memory, store } = this.#options;
    if (store === null) return;
    const remembered = memory.find(instanceId, id);
    if (remembered !== undefined) this.#confirm(id, by, remembered);
    else if (delivered && !this.#gone.has(id)) {
      this.#unknown.push({ id, by });
      if (!this.#looking) void this.#lookUp();
    }
  }

  /** Nobody has received the message, so nobody will ask for it. */
  drop(id: string): void {
    const { instanceId, memory, store } = this.#options;
    memory.forget(instanceId, id);
    if (store !== null) this.#forget(id);
  }

  /** Carries out all collected deletions now. */
  close(): void {
    if (this.#forgetting !== null) clearTimeout(this.#forgetting);
    this.#forgetting = null;
    if (this.#gone.size > 0) this.#options.store?.forget([...this.#gone]);
    this.#gone.clear();
  }

  /** The message stays in memory, because this account's own devices may still ask for it. */
  #confirm(id: string, by: string, { message, users, devices }: Remembered): void {
    if (devices.length === 0 || !users.includes(userOf(by))) return;
    const left = devices.filter((device) => device !== deviceOf(by));
    this.#options.memory.remember(this.#options.instanceId, id, { message, users, devices: left });
    if (left.length === 0) this.#forget(id);
  }

  #forget(id: string): void {
    this.#gone.add(id);
    this.#forgetting ??= setTimeout(() => this.close(), forgetMs);
  }

  async #lookUp(): Promise<void> {
    const { instanceId, memory, store, log } = this.#options;
    this.#looking = true;
    try {
      while (store !== null && this.#unknown.length > 0) {
        const batch = this.#unknown.splice(0, recallBatch);
        const found = await store.recall([...new Set(batch.map(({ id }) => id))]);
        for (const { id, by } of batch) {
          const message = found.get(id);
          if (message === undefined || message === null || this.#gone.has(id)) continue;
          this.#confirm(id, by, memory.find(instanceId, id) ?? rememberedOf(decodeSent(message), message.slice()));
        }
      }
    } catch (error) {
      this.#unknown.length = 0;
      log.warn({ err: error }, 'delivered messages could not be looked up; they are deleted when they expire');
    } finally {
      this.#looking = false;
    }
  }
}

function rememberedOf({ to, alias, devices }: SentMessage, message: Uint8Array): Remembered {
  return { message, users: [userOf(to), userOf(alias)], devices };
}

function encodeSent({ message: { message, ...rest }, ...sent }: SentMessage): Uint8Array {
  return encodeRecord('structured', { ...sent, rest, bytes: proto.Message.encode(message).finish() });
}

/** Decodes a sent message. Throws when a newer version of the gateway has written it. */
function decodeSent(bytes: Uint8Array): SentMessage {
  type Encoded = Omit<SentMessage, 'message'> & { rest: Omit<WhatsAppMessage, 'message'>; bytes: Uint8Array };
  const { rest, bytes: message, ...sent } = decodeRecord(bytes) as Encoded;
  return { ...sent, message: { ...rest, message: proto.Message.decode(message) } };
}
