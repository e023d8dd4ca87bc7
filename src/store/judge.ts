import type { ClaimCall, ClaimOutcome } from './hot-path.ts';

/** How long a claim's answer is replayed (contract, "Idempotency window"). */
const idempotencyWindowMs = 24 * 60 * 60 * 1000;

/**
 * How long a send may take at most, all its waits included, before its claim counts as abandoned and its unit of a trial as free. The unit of an
 * accepted one is taken until it is counted.
 */
export const claimMs = 180_000;

/** What the store has for a claim call. */
export interface Found {
  /** The time that ages are judged by, epoch milliseconds. */
  readonly now: number;
  /** The time that a new claim is dated. */
  readonly dated: number;
  /** The record of the key; null: there is none. */
  readonly claim: FoundClaim | null;
  readonly hasInstance: boolean;
  /** Whether the call comes from the number's owner. */
  readonly isOwner: boolean;
  /** Units of the account's trial that are used or reserved. */
  readonly trialTaken: number;
}

export interface FoundClaim {
  readonly fingerprint: string;
  readonly state: 'in_flight' | 'unknown' | 'accepted';
  readonly messageId: string;
  readonly providerStatus: string | null;
  /** The request that made the claim or took it over. */
  readonly owner: string;
  /** The server of that request; empty: the store has one only. */
  readonly node: string;
  readonly createdAt: number;
  readonly deadline: number;
  /** Whether that server may still be sending. */
  readonly nodeLives: boolean;
}

/** What becomes of a claim call, in the contract's order (decisions §2, §3). Of `claimed`, the store keeps `claimOf` and a reservation. */
export function judge(found: Found, call: ClaimCall): ClaimOutcome {
  const { keyed } = call;
  const earlier = keyed === null ? null : standing(found, call);
  if (earlier !== null) {
    if (earlier.fingerprint !== keyed?.fingerprint) return { outcome: 'reused' };
    if (earlier.state === 'accepted') return { outcome: 'replay', messageId: earlier.messageId, providerStatus: earlier.providerStatus };
    if (earlier.state === 'in_flight') return { outcome: 'in_flight', owner: earlier.owner, here: earlier.node === nodeOf(call) };
  }
  if (!found.hasInstance) return { outcome: 'instance_not_found' };
  if (!call.linked) return { outcome: 'not_connected' };
  if (!found.isOwner) return { outcome: 'not_owner' };
  if (call.trialLimit !== null && found.trialTaken >= call.trialLimit) return { outcome: 'trial_exhausted' };
  return { outcome: 'claimed', retaken: earlier !== null, messageId: earlier?.messageId ?? keyed?.messageId ?? null };
}

/** The record of its key from now on when the call may send; null: without a key there is none. */
export function claimOf(call: ClaimCall, outcome: ClaimOutcome, dated: number): FoundClaim | null {
  const { keyed } = call;
  if (keyed === null || outcome.outcome !== 'claimed') return null;
  const messageId = outcome.messageId ?? keyed.messageId;
  return {
    ...{ fingerprint: keyed.fingerprint, state: 'in_flight', messageId, providerStatus: null },
    ...{ owner: call.requestId, node: nodeOf(call), createdAt: dated, deadline: dated + claimMs, nodeLives: true },
  };
}

/** The server that a call comes from. */
export function nodeOf({ lease }: ClaimCall): string {
  return lease?.nodeId ?? '';
}

/** The earlier claim with the state it is in by now; null when it does not count any more. */
function standing({ claim, now, dated, isOwner }: Found, call: ClaimCall): FoundClaim | null {
  if (claim === null) return null;
  const abandoned =
    // A deadline that is too far ahead is of a clock that was ahead.
    claim.deadline <= now ||
    claim.deadline > dated + claimMs ||
    !claim.nodeLives ||
    // If the caller owns the number by now, the link of the server that sent is closed.
    (call.lease !== null && claim.node !== call.lease.nodeId && isOwner);
  const state = claim.state === 'in_flight' && abandoned ? 'unknown' : claim.state;
  return state === 'in_flight' || claim.createdAt > now - idempotencyWindowMs ? { ...claim, state } : null;
}
