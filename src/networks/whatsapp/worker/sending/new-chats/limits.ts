import type { BinaryNode } from 'baileys';
import { systemClock } from '../../../../../core/index.ts';
import type { NewChats, Restriction, SendOutcome } from '../../../../index.ts';
import { type ReachOutRefusal, reachOutRefusal } from '../../../refusals.ts';
import type { Wire } from '../link-memory.ts';
import { type Recipient, userOf } from '../people.ts';
import type { Tctokens } from '../tctoken.ts';
import { type ChatRecords, KnownChats } from './known-chats.ts';
import { type Cap, capIn, queryCap, queryTimelock } from './mex.ts';

/** How long a refused send waits to find out when the restriction ends, in milliseconds. */
const queryMs = 3_000;
/** How long an answer is used for further refusals, and the pause between two queries of how many new chats are used up, in milliseconds. */
const rereadMs = 60_000;
/** How long a restriction without a known end blocks new chats, in milliseconds. After that one new chat may try whether it still holds. */
const withoutEndMs = 10 * 60_000;
/** The record that keeps the restrictions beyond the life of the process. */
export const limitsRecord = 'new-chat-limits:kept';

/** One restriction. Times are dates in epoch milliseconds. */
interface Limit {
  /** null when the network gave no end. */
  readonly until: number | null;
  /** When the network last reported it. */
  readonly since: number;
}

/** The stored restrictions of a number and what was reported to the session. */
interface Limits {
  readonly timelock: Limit | null;
  readonly cap: Limit | null;
  readonly newChats: NewChats | null;
}

const none: Limits = { timelock: null, cap: null, newChats: null };

export interface NewChatLimitsOptions extends Wire {
  /** The link's records. */
  readonly records: ChatRecords;
  /** Called when the network does not let this number start chats; null when that is over. */
  onRestriction(restriction: Restriction | null): void;
  /** Called with how many chats this number may start; null when there is no limit. */
  onNewChats(newChats: NewChats | null): void;
}

/**
 * WhatsApp's two limits on starting chats: the timelock (463) and the cap (475). They are learned from refused sends and from what the network
 * reports.
 */
export class NewChatLimits {
  readonly #options: NewChatLimitsOptions;
  readonly #known: KnownChats;
  #limits = none;
  /** The restriction that the session knows of. */
  #reported: Restriction | null = null;
  readonly #loaded: Promise<void>;
  #timelockQuery: { readonly at: number; readonly active: Promise<boolean | null> } | null = null;
  #capQueriedAt = Number.NEGATIVE_INFINITY;

  constructor(options: NewChatLimitsOptions, tctokens: Pick<Tctokens, 'dropSpent'>) {
    const { sock, records, log } = options;
    this.#options = options;
    this.#known = new KnownChats(sock, records, tctokens, log);
    this.#loaded = this.#load();
    sock.ev.on('connection.update', this.#timelockReported);
    sock.ev.on('message-capping.update', this.#capReported);
  }

  /** The connection is logged in. Asks the network which limits apply. */
  opened(): void {
    void this.#reportKept();
    void this.#isTimelocked();
    void this.#queryCap();
  }

  /** Why a message to this number (digits) must not be tried; null when it may be sent. The network is not asked. */
  async held(number: string, jid: string | undefined): Promise<SendOutcome | null> {
    await this.#loaded;
    if (this.#limits === none) return null;
    const { timelock, cap } = this.#limits;
    const limit = restrictionOf({ timelock: inForce(timelock), cap: inForce(cap) });
    if (limit === null || (await this.#known.has(usersOf(number, jid)))) return null;
    this.#report();
    return refusedOutcome(limit);
  }

  /** Whether there is a chat with this number (digits). The network is not asked; false when that cannot be read. */
  async knows(number: string, jid: string | undefined): Promise<boolean> {
    const users = usersOf(number, jid);
    return this.#known.isCertainOf(users) || (await this.#known.has(users).catch(() => false));
  }

  /** A message was refused with 463. */
  async refused(number: string, recipient: Recipient, addressing: Pick<ReachOutRefusal, 'numberInsteadOfLid'>): Promise<SendOutcome> {
    const timelocked = await this.#isTimelocked();
    const reason = reachOutRefusal({ timelocked, ...addressing });
    switch (reason) {
      case 'reach_out_blocked':
        if (timelocked === null) await this.#change({ timelock: limitUntil(null) });
        // For the network there is no chat with this person.
        this.#known.forget(usersOf(number, recipient.jid));
        return refusedOutcome({ reason, until: this.#limits.timelock?.until ?? null });
      case 'wrong_addressing':
        return { outcome: 'rejected', code: '463', reason };
      case 'missing_token':
        return {
          outcome: 'refused',
          reason:
            'WhatsApp does not take the message without proof that the recipient knows this number; it works once they have written to it.',
          details: { reason },
        };
    }
  }

  /** A message was refused with 475. */
  async capped(number: string, recipient: Recipient): Promise<SendOutcome> {
    this.#known.forget(usersOf(number, recipient.jid));
    const until = (await this.#queryCap())?.cycleEndsAt ?? null;
    await this.#change({ cap: limitUntil(until) });
    return refusedOutcome({ reason: 'new_chats_capped', until });
  }

  /** A message was accepted. If it started a chat, a limit without a known end is over. */
  accepted(number: string, recipient: Recipient): void {
    const users = usersOf(number, recipient.jid);
    if (this.#known.isCertainOf(users)) return;
    if (this.#limits === none) this.#known.add(users);
    else void this.#started(users);
  }

  /** A message arrived. Resolves when its chat is stored as known, before which it must not be acknowledged; null when it was already. */
  received(node: BinaryNode): Promise<void> | null {
    return this.#known.received(node);
  }

  close(): void {
    this.#known.close();
    this.#options.sock.ev.off('connection.update', this.#timelockReported);
    this.#options.sock.ev.off('message-capping.update', this.#capReported);
  }

  /** Reports what an earlier connection knew. The session has forgotten it if a ban, a refused version or another program came in between. */
  async #reportKept(): Promise<void> {
    await this.#loaded;
    this.#reported = null;
    this.#report();
  }

  /** Reports the restriction if it is another one than before; one whose end has passed is none, and may hide another. */
  #report(): void {
    const restriction = restrictionOf(this.#limits);
    if (isSame(this.#reported, restriction)) return;
    this.#reported = restriction;
    this.#options.onRestriction(restriction);
  }

  async #started(users: readonly string[]): Promise<void> {
    if (await this.#known.has(users).catch(() => true)) return;
    this.#known.add(users);
    const { timelock, cap, newChats } = this.#limits;
    if (timelock?.until === null) await this.#change({ timelock: null });
    if (cap?.until === null) await this.#change({ cap: null });
    if (newChats !== null && systemClock.monotonic() - this.#capQueriedAt >= rereadMs) await this.#queryCap();
  }

  readonly #timelockReported = ({ reachoutTimeLock }: { reachoutTimeLock?: { isActive?: boolean; timeEnforcementEnds?: Date } }): void => {
    if (reachoutTimeLock === undefined) return;
    const { isActive, timeEnforcementEnds } = reachoutTimeLock;
    this.#timelockQuery = null;
    void this.#change({ timelock: isActive === true ? limitUntil(timeEnforcementEnds?.getTime() ?? null) : null });
  };

  readonly #capReported = (info: unknown): void => {
    try {
      void this.#setCap(capIn(info));
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the answer about new chats cannot be read');
    }
  };

  /** Whether the number is timelocked, asked at most once a minute; null when the network could not be asked. */
  #isTimelocked(): Promise<boolean | null> {
    const now = systemClock.monotonic();
    if (this.#timelockQuery === null || now - this.#timelockQuery.at >= rereadMs) {
      const active = queryTimelock(this.#options.sock, queryMs).then(
        async (timelock) => {
          await this.#change({ timelock: timelock.active ? limitUntil(timelock.until) : null });
          return timelock.active;
        },
        () => null,
      );
      this.#timelockQuery = { at: now, active };
    }
    return this.#timelockQuery.active;
  }

  /** The network's cap on new chats; null when it reports none. */
  async #queryCap(): Promise<NewChats | null> {
    this.#capQueriedAt = systemClock.monotonic();
    try {
      const cap = await queryCap(this.#options.sock, queryMs);
      await this.#setCap(cap);
      return cap.newChats;
    } catch {
      return null;
    }
  }

  #setCap({ capped, newChats }: Cap): Promise<void> {
    return this.#change({ newChats, cap: capped ? limitUntil(newChats?.cycleEndsAt ?? null) : null });
  }

  async #change(change: Partial<Limits>): Promise<void> {
    await this.#loaded;
    const before = this.#limits;
    const after = { ...before, ...change };
    const empty = after.timelock === null && after.cap === null && after.newChats === null;
    if (empty && before === none) return;
    this.#limits = empty ? none : after;
    const { records, log, onNewChats } = this.#options;
    this.#report();
    if (!isSame(before.newChats, after.newChats)) onNewChats(after.newChats);
    records
      .write([[limitsRecord, empty ? null : after]])
      .catch((error: unknown) => log.warn({ err: error }, 'a restriction could not be stored'));
  }

  /** Loads what an earlier connection knew and reported. */
  async #load(): Promise<void> {
    const { records, log } = this.#options;
    try {
      const kept = (await records.read([limitsRecord])).get(limitsRecord);
      // Only this class writes the record.
      if (kept === undefined) return;
      this.#limits = kept as Limits;
      this.#reported = restrictionOf(this.#limits);
    } catch (error) {
      log.warn({ err: error }, 'a restriction could not be read');
    }
  }
}

/** The restriction to report. The timelock goes first, because it forbids more than the cap. */
function restrictionOf({ timelock, cap }: Pick<Limits, 'timelock' | 'cap'>): Restriction | null {
  if (isLeft(timelock)) return { reason: 'reach_out_blocked', until: timelock.until };
  return isLeft(cap) ? { reason: 'new_chats_capped', until: cap.until } : null;
}

function isLeft(limit: Limit | null): limit is Limit {
  return limit !== null && (limit.until === null || systemClock.now() < limit.until);
}

function isSame(a: Restriction | NewChats | null, b: Restriction | NewChats | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function limitUntil(until: number | null): Limit {
  return { until, since: systemClock.now() };
}

/** The limit if it blocks new chats right now. */
function inForce(limit: Limit | null): Limit | null {
  if (limit === null) return null;
  const now = systemClock.now();
  const holds = limit.until === null ? now - limit.since < withoutEndMs : now < limit.until;
  return holds ? limit : null;
}

function usersOf(number: string, jid: string | undefined): string[] {
  return [...new Set(jid === undefined ? [number] : [number, userOf(jid)])];
}

function refusedOutcome({ reason, until }: Restriction): SendOutcome {
  const words =
    reason === 'new_chats_capped'
      ? 'This number has started as many new chats as WhatsApp allows for now. Existing chats still work.'
      : 'WhatsApp does not let this number start new chats at present; people who have written to it can be answered.';
  return { outcome: 'refused', reason: words, details: { reason, until: until === null ? null : new Date(until).toISOString() } };
}
