import { type BinaryNode, isJidGroup, isLidUser, isPnUser, type WASocket } from 'baileys';
import { dayMs, Mutex } from '../../../../../core/index.ts';
import { createCache } from '../../library/bounded-cache.ts';
import type { WorkerLog } from '../../library/library-log.ts';
import { userOf } from '../people.ts';
import type { Tctokens } from '../tctoken.ts';

/** The link's records, by name. */
export interface ChatRecords {
  read(names: readonly string[]): Promise<ReadonlyMap<string, unknown>>;
  write(records: Iterable<readonly [string, unknown]>): Promise<void>;
  /** Stores them with the next write, or a little later. */
  writeSoon(records: Iterable<readonly [string, unknown]>): Promise<void>;
}

/** Together they hold the 16,384 users added last; most chats take two, the number and the LID. Each record is small enough to be rewritten for every new chat. */
const buckets = 256;
const perBucket = 64;

/**
 * The people with whom this number has a chat: those who have written to it or issued it a token, and those to whom it has successfully written.
 * WhatsApp restricts only new chats. Users are the part of a JID before the @: digits of a phone number or of a LID. Kept in the link's records.
 */
export class KnownChats {
  readonly #sock: Pick<WASocket, 'ws' | 'authState'>;
  readonly #records: ChatRecords;
  readonly #tctokens: Pick<Tctokens, 'dropSpent'>;
  readonly #log: WorkerLog;
  /** A record is read, changed and written back, so two changes must not overlap. */
  readonly #changes = new Mutex();
  /** Users with a known chat, so that most sends need not read the records. */
  readonly #certain = createCache<string>({ limit: 2_000, lifetimeMs: dayMs });

  constructor(sock: Pick<WASocket, 'ws' | 'authState'>, records: ChatRecords, tctokens: Pick<Tctokens, 'dropSpent'>, log: WorkerLog) {
    this.#sock = sock;
    this.#records = records;
    this.#tctokens = tctokens;
    this.#log = log;
    sock.ws.on('CB:notification,type:privacy_token', this.#tokenIssued);
  }

  /** Whether there is a chat with any of these users, who are the same person. The network is not asked. */
  async has(users: readonly string[]): Promise<boolean> {
    const all = [...users, ...(await this.#lidsOf(users))];
    const found = await this.#records.read([...new Set(all.map(bucketOf))]);
    if (all.some((user) => usersIn(found.get(bucketOf(user))).includes(user))) return true;
    // If there is a token, they had written or been answered before chats were recorded here.
    const tokens = await this.#sock.authState.keys.get('tctoken', jidsOf(all));
    return Object.values(tokens).some((token) => token?.token !== undefined);
  }

  /** Whether all of these users are known without reading the records. */
  isCertainOf(users: readonly string[]): boolean {
    return users.every((user) => this.#certain.has(user));
  }

  add(users: readonly string[]): void {
    this.#store(users, (changed) => this.#records.writeSoon(changed))?.catch(this.#notStored);
  }

  /** Records that there is no chat with these users after all. */
  forget(users: readonly string[]): void {
    const doubt = () => {
      for (const user of users) this.#certain.delete(user);
    };
    doubt();
    const change = (list: readonly string[], user: string) => (list.includes(user) ? list.filter((other) => other !== user) : list);
    this.#change(users, change, (changed) => this.#records.write(changed))
      // What was being stored meanwhile is over now.
      .then(doubt, this.#notStored);
    this.#dropSpentTokens(users).catch(this.#notStored);
  }

  /**
   * Records who writes to this number, or to whom its owner writes from another device. Resolves when that is stored, before which the message
   * must not be acknowledged; null when it was stored already.
   */
  received({ attrs }: BinaryNode): Promise<void> | null {
    const { from, sender_pn, sender_lid, recipient, peer_recipient_pn } = attrs;
    if (from === undefined || isJidGroup(from)) return null;
    const jids = [from, sender_pn, sender_lid, recipient, peer_recipient_pn];
    return this.#store(jids.flatMap((jid) => (isPnUser(jid) === true || isLidUser(jid) === true ? [userOf(jid ?? '')] : [])));
  }

  close(): void {
    this.#sock.ws.off('CB:notification,type:privacy_token', this.#tokenIssued);
  }

  readonly #tokenIssued = (node: BinaryNode): void => {
    this.received(node)?.catch(this.#notStored);
  };

  readonly #notStored = (error: unknown): void => {
    this.#log.warn({ err: error }, 'a chat could not be recorded');
  };

  #store(users: readonly string[], write: ChatRecords['write'] = (changed) => this.#records.write(changed)): Promise<void> | null {
    const added = users.filter((user) => user !== '' && !this.#certain.has(user));
    if (added.length === 0) return null;
    const change = (list: readonly string[], user: string) => (list.includes(user) ? list : [...list.slice(1 - perBucket), user]);
    return this.#change(added, change, write).then(() => {
      for (const user of added) this.#certain.set(user, user);
    });
  }

  async #dropSpentTokens(users: readonly string[]): Promise<void> {
    await this.#tctokens.dropSpent(jidsOf([...users, ...(await this.#lidsOf(users))]));
  }

  async #lidsOf(users: readonly string[]): Promise<string[]> {
    const stored = await this.#sock.authState.keys.get('lid-mapping', [...users]);
    return Object.values(stored).filter((lid) => typeof lid === 'string');
  }

  async #change(
    users: readonly string[],
    change: (list: readonly string[], user: string) => readonly string[],
    write: ChatRecords['write'],
  ): Promise<void> {
    const { written } = await this.#changes.take(async () => {
      const names = [...new Set(users.map(bucketOf))];
      const stored = await this.#records.read(names);
      const before = new Map(names.map((name) => [name, usersIn(stored.get(name))]));
      const after = new Map(before);
      for (const user of users) after.set(bucketOf(user), change(after.get(bucketOf(user)) ?? [], user));
      const changed = [...after].filter(([name, list]) => list !== before.get(name));
      // Not awaited here, because the next change already reads the new values.
      return { written: changed.length > 0 ? write(changed) : null };
    });
    await written;
  }
}

function bucketOf(user: string): string {
  return `known-chats:${Number(user.slice(-6)) % buckets}`;
}

function jidsOf(users: readonly string[]): string[] {
  return users.flatMap((user) => [`${user}@lid`, `${user}@s.whatsapp.net`]);
}

function usersIn(record: unknown): readonly string[] {
  return Array.isArray(record) ? record : [];
}
