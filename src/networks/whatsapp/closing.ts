import { hourMs } from '../../core/index.ts';
import type { CloseReason, Restriction } from '../index.ts';

/** What is known about the end of a connection. */
export interface Closing {
  /** The network's or the library's code; null when there was none. */
  readonly code: number | null;
  /** The `type` of a conflict, such as `replaced` or `device_removed`. */
  readonly conflict: string | null;
  /** How long a ban lasts, in seconds; null when there is none or the network gives no end. */
  readonly expireSeconds: number | null;
}

export const noReason: Closing = { code: null, conflict: null, expireSeconds: null };

export interface ClosingContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** True when the connection had no credentials yet, because no phone had scanned. */
  readonly pairing: boolean;
  /** When the version was refused: how long before the next attempt, in milliseconds; 0 when there is another version to try. */
  readonly versionPauseMs: number;
}

/** What a link reports to its session about a closing. */
export interface Reaction {
  readonly reason: CloseReason;
  readonly notBefore?: number;
  readonly restriction?: Restriction;
}

/** How long a ban is assumed to last when the network gives no end. */
const banWithoutEndMs = hourMs;
/** How long to wait after a refusal of an unknown version. */
export const unknownVersionMs = hourMs;

/** Whether the network refused the client's version. */
export function refusesVersion({ code }: Closing): boolean {
  return code === 405 || code === 409;
}

/**
 * What the end of a connection means for the number (see CloseReason in network.ts). Code 500 is a fault of the network. However often it comes, it
 * does not mean that the credentials are no longer valid.
 */
export function reactionTo(closing: Closing, { now, pairing, versionPauseMs }: ClosingContext): Reaction {
  if (closing.conflict === 'device_removed') return { reason: pairing ? 'refused' : 'unlinked' };
  if (closing.conflict === 'replaced') return { reason: pairing ? 'refused' : 'replaced' };
  switch (closing.code) {
    case 515:
      return { reason: 'restart' };
    case 440:
      return { reason: pairing ? 'refused' : 'replaced' };
    case 401:
    case 411:
      return { reason: pairing ? 'refused' : 'unlinked' };
    case 403:
    case 406:
      return { reason: pairing ? 'refused' : 'banned' };
    case 402: {
      const until = now + (closing.expireSeconds === null ? banWithoutEndMs : closing.expireSeconds * 1000);
      const restriction = { reason: 'temporarily_banned', until: closing.expireSeconds === null ? null : until } as const;
      return { reason: 'lost', notBefore: until, restriction };
    }
    case 405:
    case 409:
      if (versionPauseMs === 0) return { reason: 'restart' };
      return { reason: 'lost', notBefore: now + versionPauseMs, restriction: { reason: 'version_refused', until: null } };
    default:
      return { reason: 'lost' };
  }
}

/** Whether a number that was linked is so still after this end of a connection. */
export function leavesLinked(closing: Closing): boolean {
  return !endsTheLink(reactionTo(closing, { now: 0, pairing: false, versionPauseMs: 0 }).reason);
}

/** Whether the credentials are no longer valid after this. They are deleted only then. */
export function endsTheLink(reason: CloseReason): boolean {
  switch (reason) {
    case 'unlinked':
    case 'banned':
    case 'refused':
      return true;
    case 'restart':
    case 'lost':
    case 'replaced':
    case 'codes_exhausted':
      return false;
  }
}
