import type { ClaimCall, ClaimOutcome, KeyedSend, ReleaseCall } from '../hot-path.ts';
import type { RowStatements } from '../hot-statements.ts';
import { claimMs, claimOf, type Found, type FoundClaim, nodeOf } from '../judge.ts';
import { createPrepare, type Preparing } from './prepared.ts';

/** Loads, saves and releases claims in the caller's transaction. */
export function createClaims(database: Preparing, statements: RowStatements) {
  const prepare = createPrepare(database);
  const findClaim = prepare(statements.findClaim);
  const findOwner = prepare(statements.findOwner);
  const trialTaken = prepare(statements.trialTaken);
  const reserve = prepare(statements.reserve);
  const put = prepare(statements.putClaim);
  const forget = prepare(statements.forgetClaim);
  const leave = prepare(statements.leaveClaim);
  const unreserve = prepare(statements.unreserve);

  function claimFor(account: string, { key }: KeyedSend): FoundClaim | null {
    const claim = findClaim.get<FoundClaim>({ account, key });
    return claim === undefined ? null : { ...claim, nodeLives: true };
  }

  return {
    /** What there is for a call to one server. */
    find(call: ClaimCall): Found {
      const { accountId: account, instanceId: instance, keyed, trialLimit, now, dated } = call;
      return {
        now,
        dated,
        claim: keyed === null ? null : claimFor(account, keyed),
        hasInstance: findOwner.get<{ account: string }>({ instance })?.account === account,
        isOwner: true,
        trialTaken: trialLimit === null ? 0 : (trialTaken.get<{ taken: number }>({ account, now })?.taken ?? 0),
      };
    },

    /** Writes what follows from the outcome. */
    save(call: ClaimCall, outcome: ClaimOutcome, dated: number): void {
      const { accountId: account, requestId: id, keyed, trialLimit } = call;
      if (outcome.outcome !== 'claimed') return;
      if (trialLimit !== null) reserve.run({ id, account, node: nodeOf(call), deadline: dated + claimMs });
      const claim = claimOf(call, outcome, dated);
      if (claim !== null) put.run({ account, key: keyed?.key, ...claim });
    },

    /** Undoes the claim and the reservation of a failed send. */
    release({ requestId: owner, accountId: account, key, handedOver, reservation }: ReleaseCall): void {
      if (reservation !== null) unreserve.run({ id: reservation });
      if (key !== null) (handedOver ? leave : forget).run({ account, key, owner });
    },
  };
}
