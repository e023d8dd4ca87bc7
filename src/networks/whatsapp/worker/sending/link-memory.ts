import { AsyncLocalStorage } from 'node:async_hooks';
import { DEFAULT_CONNECTION_CONFIG, type SocketConfig } from 'baileys';
import { Mutex } from '../../../../core/index.ts';
import { type BoundedCache, createCache } from '../library/bounded-cache.ts';
import { guardSignalSessions } from '../library/guarded-signal-sessions.ts';
import type { PeerTurns } from '../library/peer-turns.ts';
import { lookAtPlaintexts } from '../library/plaintexts.ts';
import { readWithKeptPreKeys } from '../library/signed-pre-keys.ts';
import { keepTimer } from './chat-timers.ts';
import { keepHistory } from './history/waiting-pieces.ts';
import type { Missed } from './missed-devices.ts';
import type { Person } from './people.ts';
import type { KnownPerson } from './recipients.ts';
import type { Wanted } from './repetitions.ts';
import { keepSaidOnce } from './said-once.ts';
import { Uploads } from './uploads.ts';

const hourMs = 60 * 60 * 1000;
/** How long the network accepts a message for devices that did not get it at first. */
const completionMs = 5 * 60 * 1000;

/** What one link remembers from one connection to the next. */
export interface LinkMemory {
  /** The person behind a number (digits) that is on the network. */
  readonly people: BoundedCache<Person>;
  /** By the `nameOf` a person. */
  readonly known: BoundedCache<KnownPerson>;
  readonly uploads: Uploads;
  /** When messages that are being read were sent (epoch seconds), by their encrypted content. */
  readonly sentAt: WeakMap<Uint8Array, number>;
  /** The messages that devices have asked for again, by message and device. */
  readonly wanted: BoundedCache<Wanted>;
  /** Messages that did not reach all devices, by message. */
  readonly missed: BoundedCache<Missed>;
  /** Messages that may have arrived although they were not acknowledged. */
  readonly unsure: BoundedCache<string>;
  /** Devices whose keys were fetched because they could not read a message. */
  readonly renewed: BoundedCache<string>;
  /** The SignalSession in which a device could not read a message, by message and device. */
  readonly failedSignalSessions: BoundedCache<string>;
  /** All changes of SignalSessions take turns here. */
  readonly signalSessionTurns: Mutex;
  /** Runs work outside the caller's transaction of Baileys' key store, if it is in one. */
  readonly outsideTransactions: <T>(work: () => T) => T;
  /**
   * For the socket option of this name. Makes Baileys' own work on SignalSessions take turns with sending, reads with earlier signed pre-keys, and
   * keeps what messages tell only once.
   */
  readonly makeSignalRepository: SocketConfig['makeSignalRepository'];
  /** Ends uploads in progress. */
  close(): void;
}

/** Creates the memory of a link. All sockets and `createSending` calls of the link share it; all links of a thread share `peers`. */
export function createLinkMemory(peers: PeerTurns): LinkMemory {
  const signalSessionTurns = new Mutex();
  const uploads = new Uploads();
  const sentAt: LinkMemory['sentAt'] = new WeakMap();
  return {
    people: createCache({ limit: 10_000, lifetimeMs: hourMs }),
    // An expired entry costs a query. The network reports changes of a device list as they happen.
    known: createCache({ limit: 2_000, lifetimeMs: 24 * hourMs }),
    uploads,
    sentAt,
    wanted: createCache({ limit: 1_000, lifetimeMs: 24 * hourMs }),
    missed: createCache({ limit: 1_000, lifetimeMs: completionMs }),
    unsure: createCache({ limit: 1_000, lifetimeMs: 24 * hourMs }),
    renewed: createCache({ limit: 5_000, lifetimeMs: hourMs }),
    failedSignalSessions: createCache({ limit: 1_000, lifetimeMs: hourMs }),
    signalSessionTurns,
    outsideTransactions: AsyncLocalStorage.snapshot(),
    makeSignalRepository: guardSignalSessions(
      lookAtPlaintexts(readWithKeptPreKeys(DEFAULT_CONNECTION_CONFIG.makeSignalRepository), async (plaintext, keys) => {
        await keepTimer(plaintext, sentAt.get(plaintext.ciphertext) ?? null, keys);
        if (!plaintext.isOwn) return;
        await keepHistory(plaintext.content, keys);
        await keepSaidOnce(plaintext.content, keys);
      }),
      signalSessionTurns,
      peers,
    ),
    close: () => uploads.close(),
  };
}
