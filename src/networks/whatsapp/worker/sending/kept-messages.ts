import type { BoundedCache } from '../library/bounded-cache.ts';
import { deviceOf, userOf } from './jids.ts';
import { decodeSent, encodeSent, type SentMessage, type SentMessages } from './sent-messages.ts';
import type { SendingLog } from './socket.ts';

/** Where messages outlive the process. */
export interface SentStore {
  /** Stores a message with the next write of the link's records, which every message waits for anyway. */
  takeAlong(messageId: string, message: Uint8Array): void;
  recall(messageIds: readonly string[]): Promise<ReadonlyMap<string, Uint8Array | null>>;
  forget(messageIds: readonly string[]): void;
}

/** The devices that have not confirmed a message yet. */
export interface Unconfirmed {
  /** Users of the recipient's JIDs. */
  readonly users: readonly string[];
  readonly devices: readonly number[];
}

interface KeptMessagesOptions {
  readonly instanceId: string;
  readonly memory: SentMessages;
  /** By message; outlives the connection. */
  readonly unconfirmed: BoundedCache<Unconfirmed>;
  /** null: messages are kept in memory only. */
  readonly store: SentStore | null;
  readonly log: SendingLog;
}

/** Deletions wait this long for others to go along with, in milliseconds. */
const forgetMs = 500;
/** How many messages are asked for at once when confirmations of an earlier process's messages arrive. */
const recallBatch = 200;

/**
 * What a link has sent, for devices that could not read it and ask for it again (decisions §12): in memory, and in the store until the recipient's
 * devices have confirmed it.
 */
export class KeptMessages {
  readonly #options: KeptMessagesOptions;
  readonly #gone = new Set<string>();
  /** Confirmations of messages that this process did not send. */
  readonly #unknown: { readonly id: string; readonly by: string }[] = [];
  #forgetting: NodeJS.Timeout | null = null;
  #looking = false;

  constructor(options: KeptMessagesOptions) {
    this.#options = options;
  }

  /** Keeps a message that is about to be encrypted; it is stored when its sessions are. */
  keep(id: string, sent: SentMessage): void {
    const { instanceId, memory, unconfirmed, store } = this.#options;
    memory.remember(instanceId, id, sent);
    if (store === null) return;
    this.#gone.delete(id);
    unconfirmed.set(id, unconfirmedOf(sent));
    store.takeAlong(id, encodeSent(sent));
  }

  /** The message; undefined when it is not kept any more. Rejects when the store cannot say. */
  async recall(id: string): Promise<SentMessage | undefined> {
    const { instanceId, memory, store } = this.#options;
    const found = memory.find(instanceId, id);
    if (found !== undefined || store === null || this.#gone.has(id)) return found;
    const bytes = (await store.recall([id])).get(id);
    if (bytes === undefined || bytes === null) return undefined;
    const sent = decodeSent(bytes);
    memory.remember(instanceId, id, sent);
    return sent;
  }

  /** The device with this JID has the message, as it says for the first time when `delivered`. */
  confirmed(id: string, by: string, delivered: boolean): void {
    if (this.#options.store === null) return;
    const waiting = this.#options.unconfirmed.get(id);
    if (waiting !== undefined) this.#confirm(id, by, waiting);
    else if (delivered && !this.#gone.has(id)) {
      this.#unknown.push({ id, by });
      if (!this.#looking) void this.#lookUp();
    }
  }

  /** The message has reached nobody, and nobody will ask for it. */
  drop(id: string): void {
    const { instanceId, memory, unconfirmed, store } = this.#options;
    memory.forget(instanceId, id);
    unconfirmed.delete(id);
    if (store !== null) this.#forget(id);
  }

  /** Deletes at once what waits to be deleted. */
  close(): void {
    if (this.#forgetting !== null) clearTimeout(this.#forgetting);
    this.#forgetting = null;
    if (this.#gone.size > 0) this.#options.store?.forget([...this.#gone]);
    this.#gone.clear();
  }

  #confirm(id: string, by: string, { users, devices }: Unconfirmed): void {
    if (!users.includes(userOf(by))) return;
    const left = devices.filter((device) => device !== deviceOf(by));
    if (left.length > 0) {
      this.#options.unconfirmed.set(id, { users, devices: left });
      return;
    }
    this.#options.unconfirmed.delete(id);
    this.#forget(id);
  }

  #forget(id: string): void {
    this.#gone.add(id);
    this.#forgetting ??= setTimeout(() => this.close(), forgetMs);
  }

  async #lookUp(): Promise<void> {
    const { store, unconfirmed, log } = this.#options;
    this.#looking = true;
    try {
      while (store !== null && this.#unknown.length > 0) {
        const batch = this.#unknown.splice(0, recallBatch);
        const found = await store.recall([...new Set(batch.map(({ id }) => id))]);
        for (const { id, by } of batch) {
          const bytes = found.get(id);
          if (bytes === undefined || bytes === null || this.#gone.has(id)) continue;
          this.#confirm(id, by, unconfirmed.get(id) ?? unconfirmedOf(decodeSent(bytes)));
        }
      }
    } catch (error) {
      this.#unknown.length = 0;
      log.warn({ err: error }, 'delivered messages could not be looked up; they are deleted when their time is over');
    } finally {
      this.#looking = false;
    }
  }
}

function unconfirmedOf({ to, alias, devices }: SentMessage): Unconfirmed {
  return { users: [userOf(to), userOf(alias)], devices };
}
