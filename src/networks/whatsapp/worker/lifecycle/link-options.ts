import type { AuthenticationCreds, SignalKeyStore } from 'baileys';
import type { Timing, WorkerEvent } from '../../protocol.ts';
import type { LibraryLog } from '../library/library-log.ts';
import type { LinkMemory } from '../sending/index.ts';
import type { SentMessages } from '../sending/sent-messages.ts';
import type { ClientProps } from './client-props.ts';
import type { ConnectionCaches, ConnectionOptions } from './connection.ts';
import type { LinkCache } from './record-cache.ts';
import type { StoreRequests } from './store-requests.ts';

/** What a link of a worker is made of. */
export interface WorkerLinkOptions {
  readonly instanceId: string;
  readonly store: StoreRequests;
  readonly cache: LinkCache;
  readonly log: LibraryLog;
  readonly network: Pick<ConnectionOptions, 'url' | 'agent'> & {
    readonly timing: Timing;
    /** The proxy that this link connects through; null: none. */
    readonly proxy: string | null;
    /** PEM of an authority to trust in addition to Node's own. */
    readonly ca: string | null;
  };
  /** The version to connect with; resolves when it is known. */
  version(): Promise<number>;
  readonly caches: ConnectionCaches;
  /** What is remembered of the instance's recipients; `fresh` for a number that has just been linked. */
  memory(fresh: boolean): LinkMemory;
  readonly sent: SentMessages;
  /** Whether sent messages are kept in the store, too. */
  readonly keepSent: boolean;
  /** Told everything that happens, until and including `closed`. */
  told(event: WorkerEvent): void;
  /** The link is over, whether it told so or was ended; `linked` when it has credentials. */
  ended(linked: boolean): void;
}

/** What a link connects with. */
export interface Identity {
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
  readonly memory: LinkMemory;
  /** What the network said of the account when it was linked; all null before that, and for a number linked by an older version. */
  props: ClientProps;
}
