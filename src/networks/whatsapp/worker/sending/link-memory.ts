import { AsyncLocalStorage } from 'node:async_hooks';
import type { Agent } from 'node:https';
import { DEFAULT_CONNECTION_CONFIG, type SignalKeyStore, type SocketConfig, type WASocket } from 'baileys';
import { hourMs, Mutex } from '../../../../core/index.ts';
import { type BoundedCache, createCache } from '../library/bounded-cache.ts';
import type { WorkerLog } from '../library/library-log.ts';
import { guardSignalSessions, lookAtPlaintexts, type PeerMutex } from '../library/signal-repository.ts';
import { readWithKeptPreKeys } from '../library/signed-pre-keys.ts';
import { storeTimer } from './chat-timers.ts';
import { storePiece } from './history-sync/pending.ts';
import { Uploads } from './media-transfer/upload.ts';
import { type DeviceId, nameOf, type Person, type Recipient, type Space } from './people.ts';
import { storeProtocolMessage } from './protocol-messages.ts';

/** How long the network accepts a message for devices that did not get it at first. */
const completionMs = 5 * 60 * 1000;

/** What everything over one connection works with. The socket's `makeSignalRepository` is that of the memory. */
export interface Wire {
  readonly sock: WASocket;
  readonly memory: LinkMemory;
  /** The keys of the socket, for what nothing waits for: it is stored no later than what is written to the others afterwards. */
  readonly keysSoon: SignalKeyStore;
  readonly log: WorkerLog;
  /** The agent for connections to the media servers; null for Node's own. */
  readonly agent: Agent | null;
}

/** What is remembered of a person: the same devices, in each namespace in which they were requested. */
interface KnownPerson {
  readonly person: Person;
  readonly devices: readonly DeviceId[];
  readonly addressed: Map<Space, Recipient>;
}

/** A message that one device has asked for again. */
export interface Retry {
  readonly id: string;
  /** JID of the device. */
  readonly device: string;
  /** How often it was sent again to all devices because the answer to this one may have been lost. */
  attempts: number;
  /** Whether the network has accepted it or it was given up. */
  settled: boolean;
}

/** The answers to the requests of one device for one message. */
export interface Answers {
  /** How many of them were written. */
  written: number;
}

/** A message that went to fewer devices than the network knows. */
export interface Missed {
  readonly id: string;
  readonly to: string;
  /** Signal addresses of the devices that it was sent to. */
  readonly had: readonly string[];
  /** Whether it is being sent to the others right now. */
  underWay: boolean;
}

/** What one link remembers from one connection to the next. */
export interface LinkMemory {
  /** The person behind a number (digits) that is on the network. */
  readonly people: BoundedCache<Person>;
  /** By the `nameOf` a person. */
  readonly known: BoundedCache<KnownPerson>;
  readonly uploads: Uploads;
  /** When messages that are being read were sent (epoch seconds), by their encrypted content. */
  readonly sentAt: WeakMap<Uint8Array, number>;
  /** By message and device. */
  readonly retries: BoundedCache<Retry>;
  /** By message. */
  readonly missed: BoundedCache<Missed>;
  /** The collections of the app state of which everything has been read since this process began, as far as the network has reported changes. */
  readonly readAppState: Set<string>;
  /** Messages that may have arrived although they were not acknowledged. */
  readonly unacknowledged: BoundedCache<string>;
  /** By message and device. */
  readonly answers: BoundedCache<Answers>;
  /** By device: resolves when its keys have been fetched because it could not read a message. */
  readonly prekeysFetched: BoundedCache<Promise<unknown>>;
  /** The SignalSession in which a device could not read a message, by message and device. */
  readonly failedSignalSessions: BoundedCache<string>;
  /** All changes of SignalSessions take turns here. */
  readonly signalSessionMutex: Mutex;
  /** Runs work outside the caller's transaction of Baileys' key store, if it is in one. */
  readonly outsideTransactions: <T>(work: () => T) => T;
  /**
   * For the socket option of this name. Makes Baileys' own work on SignalSessions take turns with sending, reads with earlier signed pre-keys, and
   * stores what the network delivers once, together with the changed SignalSession.
   */
  readonly makeSignalRepository: SocketConfig['makeSignalRepository'];
}

/** Creates the memory of a link. All connections of the link share it; all links of a thread share `peers`. */
export function createLinkMemory(peers: PeerMutex): LinkMemory {
  const signalSessionMutex = new Mutex();
  const sentAt: LinkMemory['sentAt'] = new WeakMap();
  const people: LinkMemory['people'] = createCache({ limit: 10_000, lifetimeMs: hourMs });
  // An expired entry costs a query. The network reports changes of a device list as they happen.
  const known: LinkMemory['known'] = createCache({ limit: 2_000, lifetimeMs: 24 * hourMs });
  /** The next message to this person is encrypted in the SignalSessions of the LID. */
  const moved = (pn: string) => {
    known.delete(pn);
    for (const [number, person] of [...people]) if (nameOf(person) === pn) people.delete(number);
  };
  return {
    people,
    known,
    uploads: new Uploads(),
    sentAt,
    retries: createCache({ limit: 1_000, lifetimeMs: 24 * hourMs }),
    missed: createCache({ limit: 1_000, lifetimeMs: completionMs }),
    readAppState: new Set(),
    unacknowledged: createCache({ limit: 1_000, lifetimeMs: 24 * hourMs }),
    answers: createCache({ limit: 1_000, lifetimeMs: 24 * hourMs }),
    prekeysFetched: createCache({ limit: 5_000, lifetimeMs: hourMs }),
    failedSignalSessions: createCache({ limit: 1_000, lifetimeMs: hourMs }),
    signalSessionMutex,
    outsideTransactions: AsyncLocalStorage.snapshot(),
    makeSignalRepository: guardSignalSessions(
      lookAtPlaintexts(readWithKeptPreKeys(DEFAULT_CONNECTION_CONFIG.makeSignalRepository), async (plaintext, keys) => {
        await storeTimer(plaintext, sentAt.get(plaintext.ciphertext) ?? null, keys);
        if (!plaintext.isOwn) return;
        await storePiece(plaintext.content, keys);
        await storeProtocolMessage(plaintext.content, keys);
      }),
      signalSessionMutex,
      peers,
      moved,
    ),
  };
}
