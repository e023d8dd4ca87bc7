import { getContentType, normalizeMessageContent, proto, type SignalKeyStore, toNumber } from 'baileys';
import { systemClock } from '../../../../core/index.ts';
import { readPartsBesideKeys, writePartsBesideKeys } from '../library/signal-keys.ts';
import type { Plaintext } from '../library/signal-repository.ts';
import { type Person, personOf, userOf } from './people.ts';

/*
 * The timers of disappearing messages by chat, in the number's records. A recipient's app shows a notice on a message without the chat's timer: it will
 * not disappear. Only chats that have or had a timer are recorded.
 */

export interface ChatTimer {
  /** How long messages stay, in seconds; 0: they do not disappear. */
  readonly expiration: number;
  /** When it was set, in epoch seconds; 0 when unknown. */
  readonly setAt: number;
}

/** In a record: the user, the time that messages stay, and when that was set. */
type Entry = readonly [user: string, expiration: number, setAt: number];

/** Together they hold the last 16,384 chats whose timer has changed. */
const buckets = 64;
const perBucket = 256;
/** The largest number of a protocol field for seconds. */
const mostSeconds = 2 ** 32 - 1;

/** The timer for messages to this person; null when there is none or none is known. */
export async function timerFor(keys: SignalKeyStore, { lid, pn }: Person): Promise<ChatTimer | null> {
  let newest: ChatTimer | null = null;
  // A timer that was set before the LID was known is recorded under the number.
  for (const user of [lid, pn].flatMap((jid) => (jid === null ? [] : userOf(jid)))) {
    const [, expiration, setAt] = (await entriesIn(keys, bucketOf(user))).find(([name]) => name === user) ?? [];
    if (expiration !== undefined && setAt !== undefined && (newest === null || setAt > newest.setAt)) newest = { expiration, setAt };
  }
  return newest === null || newest.expiration === 0 ? null : newest;
}

/**
 * Records the timer that a decrypted message sets or follows. `sentAt`: when the message was sent, in epoch seconds; null when unknown. Must be called
 * in turn with all other changes of the link's SignalSessions, as must `storeTimers`.
 */
export async function storeTimer({ content, chat }: Plaintext, sentAt: number | null, keys: SignalKeyStore): Promise<void> {
  const timer = chat === null ? null : timerIn(content, sentAt ?? Math.floor(systemClock.now() / 1000));
  if (chat !== null && timer !== null) await storeTimers(keys, [{ person: personOf(chat), timer }]);
}

/** Stores what is newer than what is known, in one write. */
export async function storeTimers(
  keys: SignalKeyStore,
  chats: readonly { readonly person: Person; readonly timer: ChatTimer }[],
): Promise<void> {
  const parts = new Map<string, readonly Entry[]>();
  const changed = new Set<string>();
  for (const { person, timer } of chats) {
    const user = await userIn(keys, person);
    if (user === null) continue;
    const bucket = bucketOf(user);
    const entries = parts.get(bucket) ?? (await entriesIn(keys, bucket));
    parts.set(bucket, entries);
    const known = entries.find(([name]) => name === user);
    // A switched-off timer is recorded even where none is known, because the message that set it may come later.
    if (known !== undefined && known[2] >= timer.setAt) continue;
    const others = entries.filter((entry) => entry !== known);
    parts.set(bucket, [...others.slice(1 - perBucket), [user, timer.expiration, timer.setAt]]);
    changed.add(bucket);
  }
  if (changed.size === 0) return;
  await writePartsBesideKeys(keys, 'chat-timers', Object.fromEntries([...parts].filter(([bucket]) => changed.has(bucket))));
}

/** The timer in a message; null when it has none. */
function timerIn(content: proto.IMessage, sentAt: number): ChatTimer | null {
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
  // A message without either means nothing: its sender's program may not know of the timer.
  return timer.expiration === 0 && timer.setAt === 0 ? null : timer;
}

async function entriesIn(keys: SignalKeyStore, bucket: string): Promise<readonly Entry[]> {
  return ((await readPartsBesideKeys(keys, 'chat-timers', [bucket]))[bucket] ?? []) as readonly Entry[];
}

/** The user under which a person's chat is recorded: of the LID where one is known. */
async function userIn(keys: SignalKeyStore, { lid, pn }: Person): Promise<string | null> {
  if (lid !== null) return userOf(lid);
  if (pn === null) return null;
  const user = userOf(pn);
  const stored: unknown = (await keys.get('lid-mapping', [user]))[user];
  return typeof stored === 'string' ? stored : user;
}

function bucketOf(user: string): string {
  return String(Number(user.slice(-6)) % buckets);
}

/** A field of the protocol as a number; 0 when it is missing or makes no sense. */
function seconds(field: Parameters<typeof toNumber>[0]): number {
  const value = toNumber(field);
  return Number.isInteger(value) && value > 0 && value <= mostSeconds ? value : 0;
}
