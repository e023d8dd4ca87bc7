import type { Agent } from 'node:https';
import type { AuthenticationCreds, SignalKeyStore } from 'baileys';
import type { WorkerEvent, WorkerSetup } from '../../protocol.ts';
import type { LibraryLog, WorkerLog } from '../library/library-log.ts';
import type { LinkMemory } from '../sending/link-memory.ts';
import type { SentMessages } from '../sending/receipts/sent-messages.ts';
import type { ConnectionCaches } from './connection.ts';
import type { LinkCache } from './record-cache.ts';
import type { StoreRequests } from './store-requests.ts';

export interface WorkerLinkOptions {
  readonly instanceId: string;
  readonly store: StoreRequests;
  readonly cache: LinkCache;
  readonly log: WorkerLog;
  readonly libraryLog: LibraryLog;
  readonly setup: WorkerSetup;
  /** An agent that trusts the setup's certificate authority; null for Node's own. */
  readonly agent: Agent | null;
  /** The link's proxy; null for none. */
  readonly proxy: string | null;
  /** Whether the store must be asked before each login. */
  readonly asksFirst: boolean;
  /** The version to use; resolves when it is known. */
  version(): Promise<number>;
  readonly caches: ConnectionCaches;
  /** The cached data about the instance's recipients; `fresh` for a number that has just been linked. */
  memory(fresh: boolean): LinkMemory;
  readonly sent: SentMessages;
  /** Called with every event; `closed` is the last. */
  onEvent(event: WorkerEvent): void;
  /** Called when the link has ended, by itself or from outside. `linked`: it may have credentials, which the network has not ended. */
  ended(linked: boolean): void;
}

export interface Identity {
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
  /** The same keys, for what nothing waits for: it is stored with the next write, or a little later by itself. */
  readonly keysSoon: SignalKeyStore;
  readonly memory: LinkMemory;
}
