import { createHmac } from 'node:crypto';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, jidNormalizedUser } from 'baileys';
import { Mutex, systemClock, type Timer, withTimeout } from '../../../../core/index.ts';
import { accountFacts } from './account-facts.ts';
import type { Wire } from './link-memory.ts';
import { nameOf, type Person, personOf, userOf } from './people.ts';
import type { Recipients } from './recipients.ts';

/** How long after the login a number without an nct salt waits for the one its phone sends or has sent, in milliseconds. */
const saltMs = 5_000;
/** This account issues a person one token per seven days, and a token is valid in four of these spans (WhatsApp's properties 865, 909, 996 and 997). */
const bucketSeconds = 604_800;
const validBuckets = 4;

/** How long tokens to issue are collected, in milliseconds, and how many are issued in one query. */
const issueMs = 200;
const issuedAtOnce = 50;

/** What is stored of a person's token. */
interface Entry {
  /** The token that the person issued to this account; empty if none. */
  readonly token: Buffer;
  /** When it was issued, in epoch seconds. */
  readonly timestamp?: string;
  /** When this account last issued the person a token, in epoch seconds. */
  readonly senderTimestamp?: number;
}

const emptyEntry: Entry = { token: Buffer.alloc(0) };

type Entries = Readonly<Record<string, Entry>>;

/** What a notification, a message or the history has of a person's token. */
interface Tctoken {
  readonly token?: Uint8Array | null;
  /** When it was issued, in epoch seconds. */
  readonly timestamp?: number;
  /** When this account last issued that person a token, in epoch seconds; 0 for never. */
  readonly senderTimestamp?: number;
}

/**
 * The tokens that show the network that two people know each other. A message to somebody who has never written needs one; without it the message
 * counts as an unwanted first contact and is refused (463). There are two kinds: one that the other person has issued to this account (`tctoken`) and,
 * if there is none, one that this account signs with its nct salt (`cstoken`). Stored in the number's records by LID, or by phone number as long as
 * the LID is not known. Sources: whatsmeow tctoken.go and cstoken.go, WhatsApp Web (TcTokenChatAction).
 */
export class Tctokens {
  readonly #wire: Wire;
  readonly #recipients: Pick<Recipients, 'me'>;
  readonly #changes = new Mutex();
  /** The names of those who are to be issued a token or are being. */
  readonly #issuing = new Set<string>();
  readonly #toIssue: Person[] = [];
  #collecting: Timer | null = null;
  readonly #salted = Promise.withResolvers<void>();
  #saltAwaitedUntil = 0;

  constructor(wire: Wire, recipients: Pick<Recipients, 'me'>) {
    this.#wire = wire;
    this.#recipients = recipients;
    wire.sock.ev.on('creds.update', this.#factsChanged);
  }

  /** The connection is logged in. */
  opened(): void {
    this.#saltAwaitedUntil = systemClock.monotonic() + saltMs;
  }

  /** The `tctoken` or `cstoken` to send with a message to this person; null when there is none. */
  async nodeFor(person: Person): Promise<BinaryNode | null> {
    if (this.#isMe(person)) return null;
    const { token, timestamp } = await this.#stored(person);
    if (token.length > 0 && !isExpired(Number(timestamp), nowSeconds())) return { tag: 'tctoken', attrs: {}, content: token };
    const salt = person.lid === null ? null : await this.#salt();
    if (salt === null || person.lid === null) return null;
    return { tag: 'cstoken', attrs: {}, content: createHmac('sha256', salt).update(person.lid, 'utf8').digest() };
  }

  /**
   * Called after a message to this person. Issues this number's token a little later, unless the person has one of the current seven days. Nothing waits
   * for this.
   */
  issue(person: Person): void {
    const name = nameOf(person);
    if (this.#isMe(person) || this.#issuing.has(name)) return;
    this.#issuing.add(name);
    this.#toIssue.push(person);
    this.#collecting ??= systemClock.after(issueMs, () => void this.#issueCollected());
  }

  /** Stores whatever is newer than the stored record. The network is not asked for a LID, because a message is not acknowledged before this. */
  async store({ lid, pn }: Person, tctoken: Tctoken): Promise<void> {
    const person = { lid: lid ?? (await this.#storedLid(pn)), pn };
    const name = nameOf(person);
    // Empty for an address that belongs to no person.
    if (name === '') return;
    await this.#changes.take(async () => {
      const next = merged(await this.#stored(person), tctoken);
      if (next !== null) await this.#wire.sock.authState.keys.set({ tctoken: { [name]: next } });
    });
  }

  /** Drops those of these people's entries whose token is missing or expired: they would show a chat that the network denies. */
  dropSpent(names: readonly string[]): Promise<void> {
    return this.#changes.take(async () => {
      const { keys } = this.#wire.sock.authState;
      const stored: Entries = await keys.get('tctoken', [...names]);
      const now = nowSeconds();
      const spent = Object.entries(stored).filter(([, { token, timestamp }]) => token.length === 0 || isExpired(Number(timestamp), now));
      if (spent.length > 0) await keys.set({ tctoken: Object.fromEntries(spent.map(([name]) => [name, null])) });
    });
  }

  /** A message may carry its sender's token. Resolves when it is stored, before which the message must not be acknowledged; null when it has none. */
  received(node: BinaryNode): Promise<void> | null {
    const token = getBinaryNodeChild(node, 'tctoken');
    if (token === undefined || node.attrs.participant !== undefined) return null;
    const { from = '', sender_lid: senderLid, sender_pn: senderPn } = node.attrs;
    return this.#storeAll(personOf(from, senderLid ?? senderPn), [token]);
  }

  /** The same for a notification, which may be about something else. The library would acknowledge it although nothing could be stored. */
  notified(node: BinaryNode): Promise<void> | null {
    const { type, from = '', sender_lid: senderLid } = node.attrs;
    return type === 'privacy_token' ? this.#storeAll(personOf(from, senderLid), tokensIn(node)) : null;
  }

  close(): void {
    this.#wire.sock.ev.off('creds.update', this.#factsChanged);
    this.#salted.resolve();
    this.#collecting?.cancel();
  }

  readonly #factsChanged = (): void => {
    if (accountFacts(this.#wire.sock.authState.creds).salt !== null) this.#salted.resolve();
  };

  async #storeAll(person: Person, tokens: readonly BinaryNode[]): Promise<void> {
    for (const node of tokens) {
      const token = tokenIn(node);
      if (token !== null) await this.store(person, token);
    }
  }

  async #stored(person: Person): Promise<Entry> {
    return newestEntry(person, await this.#entries([person]));
  }

  /** What is stored of these people, under either address: it may have come before the LID was known. */
  async #entries(people: readonly Person[]): Promise<Entries> {
    return this.#wire.sock.authState.keys.get('tctoken', people.flatMap(namesOf));
  }

  async #storedLid(pn: string | null): Promise<string | null> {
    if (pn === null) return null;
    const user = userOf(pn);
    const stored = (await this.#wire.sock.authState.keys.get('lid-mapping', [user]))[user];
    return stored === undefined ? null : `${stored}@lid`;
  }

  /** The nct salt; waits for it a little while after the login. */
  async #salt(): Promise<Uint8Array | null> {
    const { creds } = this.#wire.sock.authState;
    const left = this.#saltAwaitedUntil - systemClock.monotonic();
    if (accountFacts(creds).salt === null && left > 0) await withTimeout(systemClock, left, this.#salted.promise, () => undefined);
    return accountFacts(creds).salt;
  }

  readonly #notIssued = (error: unknown): void => {
    this.#wire.log.warn({ err: error }, 'a tctoken could not be issued');
  };

  async #issueCollected(): Promise<void> {
    this.#collecting = null;
    const people = this.#toIssue.splice(0);
    for (let start = 0; start < people.length; start += issuedAtOnce) {
      const part = people.slice(start, start + issuedAtOnce);
      await this.#issue(part).catch(async (error: unknown) => {
        if (part.length === 1) return this.#notIssued(error);
        // One of them may be the reason that the network refuses all.
        await Promise.all(part.map((person) => this.#issue([person]).catch(this.#notIssued)));
      });
      for (const person of part) this.#issuing.delete(nameOf(person));
    }
  }

  /** Issues a token to each of them who has none of the current seven days, in one query and one write. */
  async #issue(people: readonly Person[]): Promise<void> {
    const { sock, keysSoon } = this.#wire;
    const now = nowSeconds();
    const entries = await this.#entries(people);
    const lacking = people.filter((person) => bucketOf(newestEntry(person, entries).senderTimestamp ?? 0) < bucketOf(now));
    if (lacking.length === 0) return;
    const addresses = lacking.map((person) =>
      sock.serverProps.lidTrustedTokenIssueToLid ? nameOf(person) : (person.pn ?? nameOf(person)),
    );
    const answer: BinaryNode | undefined = await sock.issuePrivacyTokens(addresses, now);
    // The library resolves to undefined when the network is silent. It is not asked again for each of them, as after a refusal.
    if (answer === undefined) return this.#notIssued(new Error('the network did not answer'));
    const given = tokensIn(answer);
    const givenBy = (person: Person) =>
      given.find(({ attrs }) => lacking.length === 1 || [person.lid, person.pn].includes(jidNormalizedUser(attrs.jid)));
    await this.#changes.take(async () => {
      const changes: Record<string, Entry> = {};
      for (const person of lacking) {
        const next = merged(await this.#stored(person), { ...tokenIn(givenBy(person)), senderTimestamp: now });
        if (next !== null) changes[nameOf(person)] = next;
      }
      await keysSoon.set({ tctoken: changes });
    });
  }

  #isMe({ lid, pn }: Person): boolean {
    const { me } = this.#recipients;
    return (lid !== null && lid === me.lid) || (pn !== null && pn === me.pn);
  }
}

/** Whether a token issued at this time (epoch seconds) is no longer accepted. */
export function isExpired(timestamp: number, now: number): boolean {
  return !(timestamp >= (bucketOf(now) - (validBuckets - 1)) * bucketSeconds);
}

function bucketOf(seconds: number): number {
  return Math.floor(seconds / bucketSeconds);
}

function tokensIn(node: BinaryNode): BinaryNode[] {
  return getBinaryNodeChildren(getBinaryNodeChild(node, 'tokens'), 'token').filter(({ attrs }) => attrs.type === 'trusted_contact');
}

function tokenIn(node: BinaryNode | undefined): Tctoken | null {
  return node?.content instanceof Uint8Array ? { token: node.content, timestamp: Number(node.attrs.t) } : null;
}

/** The entry with what is newer in this token; null when nothing is. */
function merged(entry: Entry, { token = null, timestamp = 0, senderTimestamp = 0 }: Tctoken): Entry | null {
  const isNewer = token !== null && timestamp > Number(entry.timestamp ?? 0);
  const isIssuedLater = senderTimestamp > (entry.senderTimestamp ?? 0);
  if (!isNewer && !isIssuedLater) return null;
  return {
    ...entry,
    ...(isNewer ? { token: Buffer.from(token), timestamp: String(timestamp) } : {}),
    ...(isIssuedLater ? { senderTimestamp } : {}),
  };
}

/** The names under which something may be stored of a person. */
function namesOf({ lid, pn }: Person): string[] {
  return [lid, pn].filter((name) => name !== null);
}

function newestEntry(person: Person, entries: Entries): Entry {
  const [entry = emptyEntry, other] = namesOf(person).flatMap((name) => entries[name] ?? []);
  return (other && merged(entry, { ...other, timestamp: Number(other.timestamp ?? 0) })) ?? entry;
}

function nowSeconds(): number {
  return Math.floor(systemClock.now() / 1000);
}
