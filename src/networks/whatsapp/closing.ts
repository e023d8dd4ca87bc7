import type { CloseReason, Restriction } from '../index.ts';

/** What was learned when a connection ended. */
export interface Closing {
  /** The network's or the library's code; null when there was none. */
  readonly code: number | null;
  /** The `type` of a conflict, such as `replaced` or `device_removed`. */
  readonly conflict: string | null;
  /** With a ban: how long it lasts, in seconds. */
  readonly expireSeconds: number | null;
}

/** What surrounds a closing. */
export interface ClosingContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** True when the connection had no credentials yet: a phone was still to scan. */
  readonly pairing: boolean;
  /** How many times in a row, this one included, the network has ended this instance's connection with code 500 and no login came between. */
  readonly badSessions: number;
  /** When the first of them was; epoch milliseconds. */
  readonly badSince: number;
}

/** What a link tells of a closing. */
export interface Reaction {
  readonly reason: CloseReason;
  readonly notBefore?: number;
  readonly restriction?: Restriction;
}

/** The code with which the network calls a stored session unusable. */
export const badSessionCode = 500;
const badSessionsBeforeUnlinking = 5;
const hourMs = 60 * 60 * 1000;
/** The network says the same when it is in trouble itself; that must not cost every number its link within seconds. */
const badSessionsLastMs = hourMs / 2;
/** How long a ban is taken to last when the network does not say. */
const unsaidBanMs = hourMs;
/** A refused version does not become acceptable by itself; the next try is for the operator who updates the gateway meanwhile. */
const versionRefusedMs = hourMs;

/** What the end of a connection means for the number (see the table of CloseReason in network.ts). */
export function reactionTo(closing: Closing, context: ClosingContext): Reaction {
  const { now, pairing } = context;
  if (closing.conflict === 'device_removed') return { reason: pairing ? 'refused' : 'unlinked' };
  if (closing.conflict === 'replaced') return { reason: 'replaced' };
  switch (closing.code) {
    case 515:
      return { reason: 'restart' };
    case 440:
      return { reason: 'replaced' };
    case 401:
    case 411:
      return { reason: pairing ? 'refused' : 'unlinked' };
    case 403:
    case 406:
      return { reason: pairing ? 'refused' : 'banned' };
    case 402: {
      const until = now + (closing.expireSeconds === null ? unsaidBanMs : closing.expireSeconds * 1000);
      const restriction = { reason: 'temporarily_banned', until: closing.expireSeconds === null ? null : until } as const;
      return { reason: 'lost', notBefore: until, restriction };
    }
    case 405:
    case 409:
      return { reason: 'lost', notBefore: now + versionRefusedMs, restriction: { reason: 'version_refused', until: null } };
    case badSessionCode:
      return { reason: !pairing && isBeyondRepair(context) ? 'unlinked' : 'lost' };
    default:
      return { reason: 'lost' };
  }
}

function isBeyondRepair({ now, badSessions, badSince }: ClosingContext): boolean {
  return badSessions >= badSessionsBeforeUnlinking && now - badSince >= badSessionsLastMs;
}

/** Whether the number has to be paired again after this. */
export function endsTheLink(reason: CloseReason): boolean {
  switch (reason) {
    case 'unlinked':
    case 'replaced':
    case 'banned':
    case 'refused':
      return true;
    case 'restart':
    case 'lost':
    case 'codes_exhausted':
      return false;
  }
}
