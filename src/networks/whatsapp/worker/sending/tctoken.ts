import { createHmac } from 'node:crypto';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren } from 'baileys';
import { Mutex, systemClock, withTimeout } from '../../../../core/index.ts';
import { accountFacts } from './account-facts.ts';
import type { Wire } from './link-memory.ts';
import { nameOf, type Person, personOf } from './people.ts';
import type { Recipients } from './recipients.ts';

/** How long after the login a number without an nct salt waits for the one its phone sends or has sent, in milliseconds. */
const saltMs = 5_000;
/** This account issues a person one token per seven days, and a token is valid in four of these spans (WhatsApp's properties 865, 909, 996 and 997). */
const bucketSeconds = 604_800;
const validBuckets = 4;

const notification = 'CB:notification,type:privacy_token';

/** What is stored of a person's token. */
interface Entry {
  /** The token that the person issued to this account; empty if none. */
  readonly token: Buffer;
  /** When it was issued, in epoch seconds. */
  readonly timestamp?: string;
  /** When this account last issued the person a token, in epoch seconds. */
  readonly senderTimestamp?: number;
}

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
 * if there is none, one that this account signs with its nct salt (`cstoken`). Stored by LID in the number's records. Sources: whatsmeow tctoken.go and
 * cstoken.go, WhatsApp Web (TcTokenChatAction).
 */
export class Tctokens {
  readonly #wire: Wire;
  readonly #recipients: Pick<Recipients, 'me'>;
  readonly #changes = new Mutex();
  readonly #issuing = new Set<string>();
  readonly #salted = Promise.withResolvers<void>();
  #saltAwaitedUntil = 0;

  constructor(wire: Wire, recipients: Pick<Recipients, 'me'>) {
    this.#wire = wire;
    this.#recipients = recipients;
    wire.sock.ws.on(notification, this.#notified);
    wire.sock.ev.on('creds.update', this.#factsChanged);
  }

  /** The connection is logged in. */
  opened(): void {
    this.#saltAwaitedUntil = systemClock.monotonic() + saltMs;
  }

  /** The `tctoken` or `cstoken` to send with a message to this person; null when there is none. */
  async nodeFor(person: Person): Promise<BinaryNode | null> {
    if (this.#isMe(person)) return null;
    const { token, timestamp } = await this.#stored(nameOf(person));
    if (token.length > 0 && !isExpired(Number(timestamp), nowSeconds())) return { tag: 'tctoken', attrs: {}, content: token };
    const salt = person.lid === null ? null : await this.#salt();
    if (salt === null || person.lid === null) return null;
    return { tag: 'cstoken', attrs: {}, content: createHmac('sha256', salt).update(person.lid, 'utf8').digest() };
  }

  /** Called after a message to this person. Issues this number's token, unless the person has one of the current seven days. Nothing waits for this. */
  issue(person: Person): void {
    const name = nameOf(person);
    if (this.#isMe(person) || this.#issuing.has(name)) return;
    this.#issuing.add(name);
    this.#issue(person, name)
      .catch((error: unknown) => this.#wire.log.warn({ err: error }, 'a tctoken could not be issued'))
      .finally(() => this.#issuing.delete(name));
  }

  /** Stores whatever is newer than the stored record. */
  async store({ lid, pn }: Person, tctoken: Tctoken): Promise<void> {
    const name = lid ?? (pn === null ? null : ((await this.#wire.sock.signalRepository.lidMapping.getLIDForPN(pn)) ?? pn));
    // null for an address that belongs to no person.
    if (name !== null) await this.#storeAs(name, tctoken);
  }

  #storeAs(name: string, { token = null, timestamp = 0, senderTimestamp = 0 }: Tctoken): Promise<void> {
    return this.#changes.take(async () => {
      const entry = await this.#stored(name);
      const isNewer = token !== null && timestamp > Number(entry.timestamp ?? 0);
      const isIssuedLater = senderTimestamp > (entry.senderTimestamp ?? 0);
      if (!isNewer && !isIssuedLater) return;
      const next = {
        ...entry,
        ...(isNewer ? { token: Buffer.from(token), timestamp: String(timestamp) } : {}),
        ...(isIssuedLater ? { senderTimestamp } : {}),
      };
      await this.#wire.sock.authState.keys.set({ tctoken: { [name]: next } });
    });
  }

  /** A message may carry its sender's token. Resolves when it is stored, before which the message must not be acknowledged; null when it has none. */
  received(node: BinaryNode): Promise<void> | null {
    const token = getBinaryNodeChild(node, 'tctoken');
    if (token === undefined || node.attrs.participant !== undefined) return null;
    const { from = '', sender_lid: senderLid, sender_pn: senderPn } = node.attrs;
    return this.#storeAll(personOf(from, senderLid ?? senderPn), [token]);
  }

  close(): void {
    this.#wire.sock.ws.off(notification, this.#notified);
    this.#wire.sock.ev.off('creds.update', this.#factsChanged);
    this.#salted.resolve();
  }

  /** The library stores this token, too, before it acknowledges the notification. */
  readonly #notified = (node: BinaryNode): void => {
    const { from = '', sender_lid: senderLid } = node.attrs;
    this.#storeAll(personOf(from, senderLid), tokensIn(node)).catch((error: unknown) =>
      this.#wire.log.warn({ err: error }, 'a tctoken could not be stored'),
    );
  };

  readonly #factsChanged = (): void => {
    if (accountFacts(this.#wire.sock.authState.creds).salt !== null) this.#salted.resolve();
  };

  async #storeAll(person: Person, tokens: readonly BinaryNode[]): Promise<void> {
    for (const { attrs, content } of tokens) {
      if (content instanceof Uint8Array) await this.store(person, { token: content, timestamp: Number(attrs.t) });
    }
  }

  async #stored(name: string): Promise<Entry> {
    return (await this.#wire.sock.authState.keys.get('tctoken', [name]))[name] ?? { token: Buffer.alloc(0) };
  }

  /** The nct salt; waits for it a little while after the login. */
  async #salt(): Promise<Uint8Array | null> {
    const { creds } = this.#wire.sock.authState;
    const left = this.#saltAwaitedUntil - systemClock.monotonic();
    if (accountFacts(creds).salt === null && left > 0) await withTimeout(systemClock, left, this.#salted.promise, () => undefined);
    return accountFacts(creds).salt;
  }

  async #issue(person: Person, name: string): Promise<void> {
    const { sock } = this.#wire;
    const now = nowSeconds();
    const { senderTimestamp } = await this.#stored(name);
    if (senderTimestamp !== undefined && bucketOf(senderTimestamp) >= bucketOf(now)) return;
    const to = sock.serverProps.lidTrustedTokenIssueToLid ? name : (person.pn ?? name);
    const answer: BinaryNode = await sock.issuePrivacyTokens([to], now);
    await this.#storeAs(name, { senderTimestamp: now });
    await this.#storeAll(person, tokensIn(answer));
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

function nowSeconds(): number {
  return Math.floor(systemClock.now() / 1000);
}
