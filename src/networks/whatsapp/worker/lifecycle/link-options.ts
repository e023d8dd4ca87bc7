import type { AuthenticationCreds, SignalKeyStore } from 'baileys';
import type { Timing, WorkerEvent } from '../../protocol.ts';
import type { LibraryLog, WorkerLog } from '../library/library-log.ts';
import type { LinkMemory } from '../sending/link-memory.ts';
import type { SentMessages } from '../sending/sent-messages.ts';
import type { ClientProps } from './client-props.ts';
import type { ConnectionCaches, ConnectionOptions } from './connection.ts';
import type { LinkCache } from './record-cache.ts';
import type { StoreRequests } from './store-requests.ts';

/** What a link of a worker works with. */
export interface WorkerLinkOptions {
  readonly instanceId: string;
  readonly store: StoreRequests;
  readonly cache: LinkCache;
  readonly log: WorkerLog;
  readonly libraryLog: LibraryLog;
  readonly network: Pick<ConnectionOptions, 'url' | 'agent'> & {
    readonly timing: Timing;
    /** The link's proxy; null for none. */
    readonly proxy: string | null;
    /** PEM of a certificate authority to trust in addition to Node's own. */
    readonly ca: string | null;
  };
  /** The version to use; resolves when it is known. */
  version(): Promise<number>;
  readonly caches: ConnectionCaches;
  /** The cached data about the instance's recipients; `fresh` for a number that has just been linked. */
  memory(fresh: boolean): LinkMemory;
  readonly sent: SentMessages;
  /** Whether sent messages are also kept in the store. */
  readonly keepSent: boolean;
  /** Called with every event; `closed` is the last. */
  told(event: WorkerEvent): void;
  /** Called when the link has ended, whether by itself or from outside. `linked`: it has credentials. */
  ended(linked: boolean): void;
}

/** The credentials of a link. */
export interface Identity {
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
  readonly memory: LinkMemory;
  /** What the network said about the account when it was linked. All null before that. */
  props: ClientProps;
}
