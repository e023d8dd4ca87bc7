import { getContentType, normalizeMessageContent, proto, type SignalKeyStore, toNumber } from 'baileys';
import { type Mutex, systemClock } from '../../../../core/index.ts';
import type { Plaintext } from '../library/plaintexts.ts';
import { readPartsBesideKeys, writePartsBesideKeys } from '../library/signal-keys.ts';
import { userOf } from './jids.ts';
import { type Person, personOf } from './people.ts';

/** The timer of the disappearing messages in a chat. */
export interface ChatTimer {
  /** How long messages stay, in seconds; 0: they do not disappear. */
  readonly expiration: number;
  /** When it was set, in epoch seconds; 0 when unknown. */
  readonly setAt: number;
}

/** What is known of the chat with a person, named by one or both addresses. */
export interface ToldTimer extends ChatTimer {
  readonly jid: string;
  readonly otherJid: string | null;
}

/** In a record: the user, the time that messages stay, and when that was set. */
type Entry = readonly [user: string, expiration: number, setAt: number];

/** Together they hold the last 16,384 chats whose timer has changed. */
const buckets = 64;
const perBucket = 256;
/** The largest number of a protocol field for seconds. */
const mostSeconds = 2 ** 32 - 1;

/**
 * The timers of disappearing messages by chat, in the number's records. A recipient's app says of a message without the chat's timer that it will not
 * disappear. Only chats that have or had a timer are recorded. All changes of the records take turns with those of SignalSessions.
 */
export class ChatTimers {
  readonly #keys: SignalKeyStore;
  readonly #turns: Mutex;

  constructor(keys: SignalKeyStore, turns: Mutex) {
    this.#keys = keys;
    this.#turns = turns;
  }

  /** The timer for messages to this person; null when there is none or none is known. */
  async of({ lid, pn }: Person): Promise<ChatTimer | null> {
    // What was told before the LID was known is recorded under the number.
    const found = await Promise.all([lid, pn].map((jid) => (jid === null ? null : timerOf(this.#keys, userOf(jid)))));
    const newest = found.reduce((best, timer) => (timer !== null && (best === null || timer.setAt > best.setAt) ? timer : best), null);
    return newest === null || newest.expiration === 0 ? null : newest;
  }

  /** Records what the phone knows. */
  learn(told: readonly ToldTimer[]): Promise<void> {
    const chats = told.map(({ jid, otherJid, ...timer }) => ({ person: personOf(jid, otherJid), timer }));
    return this.#turns.take(() => record(this.#keys, chats));
  }
}

/**
 * Records the timer that a decrypted message tells of, by setting it or by following it. `sentAt`: when the message was sent, in epoch seconds; null
 * when unknown. Must be called in turn with all other changes of the link's SignalSessions.
 */
export async function keepTimer({ content, chat }: Plaintext, sentAt: number | null, keys: SignalKeyStore): Promise<void> {
  const timer = chat === null ? null : timerIn(content, sentAt ?? Math.floor(systemClock.now() / 1000));
  if (chat !== null && timer !== null) await record(keys, [{ person: personOf(chat), timer }]);
}

/** The timer that a message tells of; null when it tells of none. */
export function timerIn(content: proto.IMessage, sentAt: number): ChatTimer | null {
  const message = normalizeMessageContent(content);
  const setting = message?.protocolMessage;
  if (setting?.type === proto.Message.ProtocolMessage.Type.EPHEMERAL_SETTING) {
    return { expiration: seconds(setting.ephemeralExpiration), setAt: seconds(setting.ephemeralSettingTimestamp) || sentAt };
  }
  const type = getContentType(message);
  const part: unknown = type === undefined ? undefined : message?.[type];
  if (typeof part !== 'object' || part === null || !('contextInfo' in part)) return null;
  const { expiration, ephemeralSettingTimestamp } = (part.contextInfo ?? {}) as proto.IContextInfo;
  const timer = { expiration: seconds(expiration), setAt: seconds(ephemeralSettingTimestamp) };
  // A message without either says nothing: its sender's program may not know of the timer.
  return timer.expiration === 0 && timer.setAt === 0 ? null : timer;
}

/** Stores what is newer than what is known, in one write. */
async function record(keys: SignalKeyStore, told: readonly { readonly person: Person; readonly timer: ChatTimer }[]): Promise<void> {
  const parts = new Map<string, readonly Entry[]>();
  const changed = new Set<string>();
  for (const { person, timer } of told) {
    const user = await nameIn(keys, person);
    if (user === null) continue;
    const bucket = bucketOf(user);
    const entries = parts.get(bucket) ?? (await entriesIn(keys, bucket));
    parts.set(bucket, entries);
    const known = entries.find(([name]) => name === user);
    if (known === undefined ? timer.expiration === 0 : known[2] >= timer.setAt) continue;
    const others = entries.filter((entry) => entry !== known);
    parts.set(bucket, [...others.slice(1 - perBucket), [user, timer.expiration, timer.setAt]]);
    changed.add(bucket);
  }
  if (changed.size === 0) return;
  await writePartsBesideKeys(keys, 'chat-timers', Object.fromEntries([...parts].filter(([bucket]) => changed.has(bucket))));
}

async function timerOf(keys: SignalKeyStore, user: string): Promise<ChatTimer | null> {
  const entry = (await entriesIn(keys, bucketOf(user))).find(([name]) => name === user);
  return entry === undefined ? null : { expiration: entry[1], setAt: entry[2] };
}

async function entriesIn(keys: SignalKeyStore, bucket: string): Promise<readonly Entry[]> {
  return ((await readPartsBesideKeys(keys, 'chat-timers', [bucket]))[bucket] ?? []) as readonly Entry[];
}

/** The user under which a person's chat is recorded: of the LID where one is known. */
async function nameIn(keys: SignalKeyStore, { lid, pn }: Person): Promise<string | null> {
  if (lid !== null) return userOf(lid);
  return pn === null ? null : ((await lidUserOf(keys, userOf(pn))) ?? userOf(pn));
}

/** The stored LID of a number, both without their servers; null when none is known. */
async function lidUserOf(keys: SignalKeyStore, number: string): Promise<string | null> {
  const lid: unknown = (await keys.get('lid-mapping', [number]))[number];
  return typeof lid === 'string' ? lid : null;
}

function bucketOf(user: string): string {
  return String(Number(user.slice(-6)) % buckets);
}

/** A field of the protocol as a number; 0 when it is missing or makes no sense. */
function seconds(field: Parameters<typeof toNumber>[0]): number {
  const value = toNumber(field);
  return Number.isInteger(value) && value > 0 && value <= mostSeconds ? value : 0;
}
