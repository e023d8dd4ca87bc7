import type { KeyPair, SignalDataSet, SignalDataTypeMap, SignalKeyStore } from 'baileys';
import { blockOf, decodeBlock, encodeBlock } from './pre-key-blocks.ts';
import { encodeRecord } from './record-encoding.ts';

type KeyType = keyof SignalDataTypeMap;
type BesideKeys = 'waiting-history' | 'moved-to-lids' | 'settings-key' | 'chat-timers';

/** Stores a link's keys as named records. */
interface KeyRecords {
  /** The values of these records. Records that do not exist are left out. */
  read(names: readonly string[]): Promise<Map<string, unknown>>;
  /** Writes all records together; null deletes a record. Resolves when they are stored. */
  write(records: Iterable<readonly [string, unknown]>): Promise<void>;
}

/** The record with the account's own identity and settings. */
export const credsRecord = 'creds';

export const movedRecord = 'moved-to-lids:all';
/** The record of `settings-key`: the id of the key that the phone shared last. */
export const settingsKeyRecord = 'settings-key:all';
/** The record of `waiting-history`. */
export const waitingHistoryRecord = 'waiting-history:all';

/** Keys could not be read from the store, so it is not known whether a message can be decrypted. */
export class KeysUnreadable extends Error {}

/**
 * The format for each type of key. null: it is not stored. Of groups, to which the gateway sends nothing; Baileys' own copy of the app state, which it is
 * never asked to make; and lists of devices, which only Baileys uses: it writes that of the own device at each login, looks there for SignalSessions of
 * this device with itself, and finds none.
 */
const keyFormats: Readonly<Record<KeyType, 'bytes' | 'json' | 'structured' | null>> = {
  'pre-key': 'bytes',
  session: 'json',
  'identity-key': 'bytes',
  'lid-mapping': 'json',
  tctoken: 'structured',
  'app-state-sync-key': 'structured',
  'app-state-sync-version': null,
  'device-list': null,
  'sender-key': null,
  'sender-key-memory': null,
};
/** The gateway's own records of a number, which contain only strings and numbers. */
const ownRecords = new Set(['known-chats', 'new-chat-limits']);
/** The gateway's own records that are stored through Baileys' key store, so that they can be part of its transactions. */
const besideKeys = new Set<string>(['waiting-history', 'moved-to-lids', 'settings-key', 'chat-timers'] satisfies BesideKeys[]);
/**
 * Baileys' list of all recipients, which is neither stored nor looked up. It rewrites the list for each new recipient, and uses it only while it shows
 * as online, which the gateway never does.
 */
const tokenIndex = '__index';

/** Encodes a record in the format for its name, which is `creds` or `type:id`. */
export function encodeNamed(name: string, value: unknown): Uint8Array {
  if (name === credsRecord) return encodeRecord('structured', value);
  const type = name.slice(0, name.indexOf(':'));
  const format = ownRecords.has(type) ? 'json' : besideKeys.has(type) ? 'structured' : keyFormats[type as KeyType];
  if (format === null || format === undefined) throw new Error('a record of this type is not kept');
  return encodeRecord(format, value);
}

/** Whether a record is worth caching. One-time keys are not: each is used once, and the 26 blocks of a new link would displace everything else. */
export function isUsedOften(name: string): boolean {
  return !name.startsWith('pre-key:');
}

/** Stores a number's Signal keys, for Baileys, in the link's records. Reads reject with KeysUnreadable. */
export function createSignalKeys(records: KeyRecords): SignalKeyStore {
  const read = (names: readonly string[]) =>
    records.read(names).catch((error: unknown) => {
      throw new KeysUnreadable('the keys of a number could not be read', { cause: error });
    });
  // Blocks are read, changed and written back, so two changes of one block must not overlap.
  let preKeyWork: Promise<void> = Promise.resolve();

  async function readPreKeys(ids: readonly string[]): Promise<Record<string, KeyPair>> {
    const blocks = await read([...new Set(ids.map(preKeyRecord))]);
    const decoded = new Map([...blocks].map(([name, block]) => [name, decodeBlock(block as Uint8Array)]));
    const found: Record<string, KeyPair> = {};
    for (const id of ids) {
      const pair = decoded.get(preKeyRecord(id))?.get(id);
      if (pair !== undefined) found[id] = pair;
    }
    return found;
  }

  async function changePreKeys(changes: Readonly<Record<string, KeyPair | null>>): Promise<[string, Uint8Array | null][]> {
    const names = [...new Set(Object.keys(changes).map(preKeyRecord))];
    const stored = await read(names);
    const blocks = new Map(names.map((name) => [name, decodeBlock((stored.get(name) ?? null) as Uint8Array | null)]));
    for (const [id, pair] of Object.entries(changes)) {
      const block = blocks.get(preKeyRecord(id));
      if (pair === null) block?.delete(id);
      else block?.set(id, pair);
    }
    return [...blocks].map(([name, keys]) => [name, encodeBlock(keys)]);
  }

  return {
    async get<Type extends KeyType>(type: Type, ids: string[]) {
      if (type === 'pre-key') return (await readPreKeys(ids)) as Record<string, SignalDataTypeMap[Type]>;
      const found: Record<string, SignalDataTypeMap[Type]> = {};
      if (!isKept(type)) return found;
      const stored = type === 'tctoken' ? ids.filter((id) => id !== tokenIndex) : ids;
      const values = await read(stored.map((id) => `${type}:${id}`));
      for (const id of ids) {
        const value = values.get(`${type}:${id}`);
        if (value !== undefined) found[id] = value as SignalDataTypeMap[Type];
      }
      return found;
    },

    async set(data: SignalDataSet) {
      const changes: [string, unknown][] = [];
      for (const [type, values] of Object.entries(data)) {
        if (type === 'pre-key' || !isKept(type as KeyType)) continue;
        for (const [id, value] of Object.entries(values)) {
          if (type === 'tctoken' && id === tokenIndex) continue;
          changes.push([`${type}:${id}`, type === 'session' && value !== null ? trimSignalRecord(value) : value]);
        }
      }
      const preKeys = data['pre-key'];
      if (preKeys === undefined) {
        if (changes.length > 0) await records.write(changes);
        return;
      }
      const stored = preKeyWork.then(async () => {
        const blocks = await changePreKeys(preKeys);
        // Not awaited here, because the next change already reads the new values.
        return { written: records.write([...changes, ...blocks]) };
      });
      preKeyWork = stored.then(
        () => undefined,
        () => undefined,
      );
      await (await stored).written;
    },
  };
}

/** A record that is stored beside the Signal keys; undefined when there is none. */
export async function readBesideKeys(keys: SignalKeyStore, name: BesideKeys): Promise<unknown> {
  return (await readPartsBesideKeys(keys, name, ['all'])).all;
}

/** Some of the records into which this one is divided, by their ids. Those that do not exist are left out. */
export async function readPartsBesideKeys(
  keys: SignalKeyStore,
  name: BesideKeys,
  ids: readonly string[],
): Promise<Readonly<Record<string, unknown>>> {
  // Baileys' store takes any type of key; only its declaration lists the ones of its own.
  return keys.get(name as KeyType, [...ids]);
}

/** Writes a record beside the Signal keys; null deletes it. In a transaction it is stored together with the keys that the transaction changes. */
export async function writeBesideKeys(keys: SignalKeyStore, name: BesideKeys, value: unknown): Promise<void> {
  await writePartsBesideKeys(keys, name, { all: value });
}

/** The same for records into which one is divided, by their ids. */
export async function writePartsBesideKeys(
  keys: SignalKeyStore,
  name: BesideKeys,
  parts: Readonly<Record<string, unknown>>,
): Promise<void> {
  await keys.set({ [name]: parts } as SignalDataSet);
}

function isKept(type: KeyType): boolean {
  return besideKeys.has(type) || (keyFormats[type] !== null && keyFormats[type] !== undefined);
}

/** The record of the block that holds this one-time key. */
export function preKeyRecord(id: string): string {
  return `pre-key:${blockOf(id)}`;
}

/** The parts of a stored libsignal record that are used here: the SignalSessions with one device. */
interface SignalRecord {
  readonly _sessions: Readonly<Record<string, SignalSession>>;
}

interface SignalSession {
  readonly indexInfo: { readonly closed: number };
  readonly currentRatchet: { readonly lastRemoteEphemeralKey: string };
  readonly _chains: Readonly<Record<string, Chain>>;
}

interface Chain {
  readonly chainType: number;
  readonly messageKeys: Readonly<Record<string, string>>;
}

/** How many closed SignalSessions are kept for messages that are still on their way. libsignal keeps 40 and writes all of them with each message. */
const keptClosedSignalSessions = 4;
/** How many past receiving chains a SignalSession keeps, as in other Signal implementations. libsignal keeps all. */
const keptReceivingChains = 5;
const openMark = -1;
const receivingChain = 2;

/** A copy of the record without old keys that no message will need. Without this it would grow with every reply. */
export function trimSignalRecord(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || !('_sessions' in record)) return record;
  const open: [string, SignalSession][] = [];
  const closed: [string, SignalSession][] = [];
  for (const [key, session] of Object.entries((record as SignalRecord)._sessions)) {
    (session.indexInfo.closed === openMark ? open : closed).push([key, trimChains(session)]);
  }
  if (closed.length > keptClosedSignalSessions) closed.sort(([, a], [, b]) => a.indexInfo.closed - b.indexInfo.closed);
  return { ...record, _sessions: Object.fromEntries([...closed.slice(-keptClosedSignalSessions), ...open]) };
}

function trimChains(session: SignalSession): SignalSession {
  const past: string[] = [];
  for (const [key, { chainType }] of Object.entries(session._chains)) {
    if (chainType === receivingChain && key !== session.currentRatchet.lastRemoteEphemeralKey) past.push(key);
  }
  if (past.length <= keptReceivingChains) return session;
  const kept = { ...session._chains };
  for (const key of past.slice(0, -keptReceivingChains)) delete kept[key];
  return { ...session, _chains: kept };
}
