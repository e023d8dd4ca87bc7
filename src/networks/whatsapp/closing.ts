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
  /** After a refused version: true when there is another one to try. */
  readonly otherVersion: boolean;
}

/** What a link tells of a closing. */
export interface Reaction {
  readonly reason: CloseReason;
  readonly notBefore?: number;
  readonly restriction?: Restriction;
}

const hourMs = 60 * 60 * 1000;
/** How long a ban is taken to last when the network does not say. */
const unsaidBanMs = hourMs;
/** A refused version does not become acceptable by itself: the next try waits for a newer one. */
const versionRefusedMs = hourMs;

/** Whether the network refuses the version of the client. */
export function refusesVersion({ code }: Closing): boolean {
  return code === 405 || code === 409;
}

/**
 * What the end of a connection means for the number (see CloseReason in network.ts). Code 500 is trouble of the network's own, however often it
 * comes: it is never taken as word that the credentials are worthless.
 */
export function reactionTo(closing: Closing, { now, pairing, otherVersion }: ClosingContext): Reaction {
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
      const until = now + (closing.expireSeconds === null ? unsaidBanMs : closing.expireSeconds * 1000);
      const restriction = { reason: 'temporarily_banned', until: closing.expireSeconds === null ? null : until } as const;
      return { reason: 'lost', notBefore: until, restriction };
    }
    case 405:
    case 409:
      if (otherVersion) return { reason: 'restart' };
      return { reason: 'lost', notBefore: now + versionRefusedMs, restriction: { reason: 'version_refused', until: null } };
    default:
      return { reason: 'lost' };
  }
}

/** Whether the credentials are worthless after this: the only endings for which they are deleted. */
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
