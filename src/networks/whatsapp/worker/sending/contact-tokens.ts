import { createHmac } from 'node:crypto';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { Mutex, systemClock, withTimeout } from '../../../../core/index.ts';
import { createCache } from '../library/bounded-cache.ts';
import { accountFacts } from './account-facts.ts';
import type { GivenToken } from './history/read-history.ts';
import { nameOf, type Person, personOf } from './people.ts';
import type { Recipient, Recipients } from './recipients.ts';
import type { SendingLog, SendingSocket } from './socket.ts';

/** How long a stored token is used before it is read again. */
const rereadMs = 60_000;
/** How long after the login a number without a salt waits for the one its phone sends or has sent, in milliseconds. */
const saltMs = 5_000;
/**
 * This account gives a person one token per seven days, and a token is valid in four of these spans (WhatsApp's properties 865, 909, 996 and 997).
 */
const bucketSeconds = 604_800;
const validBuckets = 4;

const notified = 'CB:notification,type:privacy_token';

interface Entry {
  /** The token that the person gave this account; empty if none. */
  readonly token: Buffer;
  /** When it was given, in epoch seconds. */
  readonly timestamp?: string;
  /** When this account last gave the person a token, in epoch seconds. */
  readonly senderTimestamp?: number;
}

interface ContactTokensOptions {
  readonly sock: SendingSocket;
  readonly log: SendingLog;
  readonly recipients: Pick<Recipients, 'me'>;
}

/**
 * The tokens that show the network that two people know each other. A message to somebody who has never written needs one; without it the message
 * counts as an unwanted first contact and is refused (463). There are two kinds: one that the other person has given this account (`tctoken`) and, if
 * there is none, one that this account signs with a key of its own (`cstoken`). Stored by LID in the number's records. Sources: whatsmeow tctoken.go
 * and cstoken.go, WhatsApp Web (TcTokenChatAction).
 */
export class ContactTokens {
  readonly #sock: SendingSocket;
  readonly #log: SendingLog;
  readonly #recipients: Pick<Recipients, 'me'>;
  readonly #read = createCache<Entry>({ limit: 2_000, lifetimeMs: rereadMs });
  readonly #changes = new Mutex();
  readonly #issuing = new Set<string>();
  readonly #salted = Promise.withResolvers<void>();
  #saltAwaitedUntil = 0;

  constructor({ sock, log, recipients }: ContactTokensOptions) {
    this.#sock = sock;
    this.#log = log;
    this.#recipients = recipients;
    sock.ws.on(notified, this.#notified);
    sock.ev.on('creds.update', this.#factsChanged);
  }

  /** The connection is logged in. */
  opened(): void {
    this.#saltAwaitedUntil = systemClock.monotonic() + saltMs;
  }

  /** The token to send with a message to this recipient; null when there is none. */
  async of({ person }: Recipient): Promise<BinaryNode | null> {
    if (this.#isMe(person)) return null;
    const { token, timestamp } = await this.#entry(nameOf(person));
    if (token.length > 0 && !isExpired(Number(timestamp), nowSeconds())) return { tag: 'tctoken', attrs: {}, content: token };
    const salt = person.lid === null ? null : await this.#salt();
    if (salt === null || person.lid === null) return null;
    return { tag: 'cstoken', attrs: {}, content: createHmac('sha256', salt).update(person.lid, 'utf8').digest() };
  }

  /** Called after a message to this recipient. Gives it this number's token, unless it has one of the current seven days. Nothing waits for this. */
  giveOwn({ person }: Recipient): void {
    const name = nameOf(person);
    if (this.#isMe(person) || this.#issuing.has(name)) return;
    const known = this.#read.get(name);
    if (known?.senderTimestamp !== undefined && bucketOf(known.senderTimestamp) >= bucketOf(nowSeconds())) return;
    this.#issuing.add(name);
    this.#issue(person)
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a contact token could not be given'))
      .finally(() => this.#issuing.delete(name));
  }

  /** Stores tokens that the phone knows. */
  async learn(tokens: readonly GivenToken[]): Promise<void> {
    for (const { jid, otherJid, token, timestamp, senderTimestamp } of tokens) {
      const name = await this.#nameOf(personOf(jid, otherJid));
      if (name !== null) await this.#store(name, { ...(token === null ? {} : { token, timestamp }), senderTimestamp });
    }
  }

  close(): void {
    this.#sock.ws.off(notified, this.#notified);
    this.#sock.ev.off('creds.update', this.#factsChanged);
    this.#salted.resolve();
  }

  /** The library stores this token, too, before it acknowledges the notification. */
  readonly #notified = (node: BinaryNode): void => {
    const { from = '', sender_lid: senderLid } = node.attrs;
    this.#take(personOf(from, senderLid), tokensIn(node)).catch(this.#notStored);
  };

  /** A message may carry its sender's token. Resolves when it is stored, before which the message must not be acknowledged; null when it has none. */
  heard(node: BinaryNode): Promise<void> | null {
    const token = getBinaryNodeChild(node, 'tctoken');
    if (token === undefined || node.attrs.participant !== undefined) return null;
    const { from = '', sender_lid: senderLid, sender_pn: senderPn } = node.attrs;
    return this.#take(personOf(from, senderLid ?? senderPn), [token]);
  }

  readonly #notStored = (error: unknown): void => {
    this.#log.warn({ err: error }, 'a contact token could not be stored');
  };

  readonly #factsChanged = (): void => {
    if (accountFacts(this.#sock.authState.creds).salt !== null) this.#salted.resolve();
  };

  /** Resolves when the tokens are stored. */
  async #take(person: Person, tokens: readonly BinaryNode[]): Promise<void> {
    const name = await this.#nameOf(person);
    for (const { attrs, content } of tokens) {
      if (name !== null && content instanceof Uint8Array) await this.#store(name, { token: content, timestamp: Number(attrs.t) });
    }
  }

  /** Stores whatever is newer than the stored record. */
  #store(name: string, told: { token?: Uint8Array; timestamp?: number; senderTimestamp?: number }): Promise<void> {
    return this.#changes.take(async () => {
      const entry = await this.#stored(name);
      const { token, timestamp = 0, senderTimestamp = 0 } = told;
      const isNewer = token !== undefined && timestamp > Number(entry.timestamp ?? 0);
      const isGivenLater = senderTimestamp > (entry.senderTimestamp ?? 0);
      if (!isNewer && !isGivenLater) return;
      const next = {
        ...entry,
        ...(isNewer ? { token: Buffer.from(token), timestamp: String(timestamp) } : {}),
        ...(isGivenLater ? { senderTimestamp } : {}),
      };
      this.#read.set(name, next);
      await this.#sock.authState.keys.set({ tctoken: { [name]: next } });
    });
  }

  async #entry(name: string): Promise<Entry> {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const entry = await this.#stored(name);
    this.#read.set(name, entry);
    return entry;
  }

  async #stored(name: string): Promise<Entry> {
    return (await this.#sock.authState.keys.get('tctoken', [name]))[name] ?? { token: Buffer.alloc(0) };
  }

  /** The name under which a person's token is stored; null when the address belongs to no person. */
  async #nameOf(person: Person): Promise<string | null> {
    if (person.lid !== null) return person.lid;
    return person.pn === null ? null : ((await this.#sock.signalRepository.lidMapping.getLIDForPN(person.pn)) ?? person.pn);
  }

  /** The key of client-signed tokens; waits for it a little while after the login. */
  async #salt(): Promise<Uint8Array | null> {
    const known = () => accountFacts(this.#sock.authState.creds).salt;
    const left = this.#saltAwaitedUntil - systemClock.monotonic();
    if (known() === null && left > 0) await withTimeout(systemClock, left, this.#salted.promise, () => undefined);
    return known();
  }

  async #issue(person: Person): Promise<void> {
    const { serverProps } = this.#sock;
    const now = nowSeconds();
    const name = nameOf(person);
    const entry = await this.#stored(name);
    if (entry.senderTimestamp !== undefined && bucketOf(entry.senderTimestamp) >= bucketOf(now)) {
      this.#read.set(name, entry);
      return;
    }
    const to = serverProps.lidTrustedTokenIssueToLid ? name : (person.pn ?? name);
    const answer: BinaryNode = await this.#sock.issuePrivacyTokens([to], now);
    await this.#store(name, { senderTimestamp: now });
    await this.#take(person, tokensIn(answer));
  }

  #isMe({ lid, pn }: Person): boolean {
    const { me } = this.#recipients;
    return (lid !== null && lid === me.lid) || (pn !== null && pn === me.pn);
  }
}

/** Whether a token given at this time (epoch seconds) is no longer accepted. */
export function isExpired(timestamp: number, now: number): boolean {
  return !(timestamp >= (bucketOf(now) - (validBuckets - 1)) * bucketSeconds);
}

function bucketOf(seconds: number): number {
  return Math.floor(seconds / bucketSeconds);
}

function tokensIn(node: BinaryNode): BinaryNode[] {
  return getBinaryNodeChildren(getBinaryNodeChild(node, 'tokens'), 'token').filter(({ attrs }) => attrs.type === 'trusted_contact');
}

function nowSeconds(): number {
  return Math.floor(systemClock.now() / 1000);
}
