import { AsyncLocalStorage } from 'node:async_hooks';
import { DEFAULT_CONNECTION_CONFIG, type SocketConfig } from 'baileys';
import { Turns } from '../../../../core/index.ts';
import { type BoundedCache, createCache } from '../library/bounded-cache.ts';
import { guardSessions } from '../library/guarded-sessions.ts';
import type { PeerTurns } from '../library/peer-turns.ts';
import type { Unconfirmed } from './kept-messages.ts';
import type { Missed } from './missed-devices.ts';
import type { Person } from './people.ts';
import type { KnownPerson } from './recipients.ts';
import type { Wanted } from './repetitions.ts';
import { Uploads } from './uploads.ts';

const hourMs = 60 * 60 * 1000;
/** For how long the network takes a message for devices that it has missed. */
const completionMs = 5 * 60 * 1000;

/** What one link remembers across its connections. */
export interface LinkMemory {
  /** Who answers on a number (digits) that is on the network. */
  readonly people: BoundedCache<Person>;
  /** By `nameOf` the person. */
  readonly known: BoundedCache<KnownPerson>;
  readonly uploads: Uploads;
  /** What devices have asked for again, by message and device. */
  readonly wanted: BoundedCache<Wanted>;
  /** Which devices have not confirmed a message, by message. */
  readonly unconfirmed: BoundedCache<Unconfirmed>;
  /** Messages that have missed devices, by message. */
  readonly missed: BoundedCache<Missed>;
  /** Messages that may have arrived although nothing was heard of them. */
  readonly unsure: BoundedCache<string>;
  /** Devices for which keys were fetched because they could not read a message. */
  readonly renewed: BoundedCache<string>;
  /** The session in which a device could not read a message, by message and device. */
  readonly failedSessions: BoundedCache<string>;
  /** Whoever changes Signal sessions takes a turn. */
  readonly sessions: Turns;
  /** Runs work outside of whatever transaction of Baileys' key store the caller is in. */
  readonly outsideTransactions: <T>(work: () => T) => T;
  /** For the socket's option of this name, so that what Baileys does with sessions takes turns with sending. */
  readonly makeSignalRepository: SocketConfig['makeSignalRepository'];
  /** Ends uploads that are still under way. */
  close(): void;
}

/** Makes the memory of a link. One per link, given to every socket and every `createSending` of it; all links of a thread share `peers`. */
export function createLinkMemory(peers: PeerTurns): LinkMemory {
  const sessions = new Turns();
  const uploads = new Uploads();
  return {
    people: createCache({ limit: 10_000, lifetimeMs: hourMs }),
    // Every expiry costs a question; changes of a device list are told by the network as they happen.
    known: createCache({ limit: 2_000, lifetimeMs: 24 * hourMs }),
    uploads,
    wanted: createCache({ limit: 1_000, lifetimeMs: 24 * hourMs }),
    unconfirmed: createCache({ limit: 5_000 }),
    missed: createCache({ limit: 1_000, lifetimeMs: completionMs }),
    unsure: createCache({ limit: 1_000, lifetimeMs: 24 * hourMs }),
    renewed: createCache({ limit: 5_000, lifetimeMs: hourMs }),
    failedSessions: createCache({ limit: 1_000, lifetimeMs: hourMs }),
    sessions,
    outsideTransactions: AsyncLocalStorage.snapshot(),
    makeSignalRepository: guardSessions(DEFAULT_CONNECTION_CONFIG.makeSignalRepository, sessions, peers),
    close: () => uploads.close(),
  };
}
