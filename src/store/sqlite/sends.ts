import type { ClaimCall, ClaimOutcome, KeyedSend, ReleaseCall, SettleCall } from '../hot-path.ts';
import { claimMs, claimOf, type Found, type FoundClaim, nodeOf } from '../judge.ts';
import { sumsOf } from '../send-ends.ts';
import { monthOf } from '../usage.ts';
import { type Preparing, prepareAll } from './prepared.ts';
import type { RowStatements } from './row-statements.ts';

/** Loads, saves, releases and settles claims in the caller's transaction. */
export function createSends(database: Preparing, statements: RowStatements) {
  const prepared = prepareAll(database, statements);

  function claimFor(account: string, { key }: KeyedSend): FoundClaim | null {
    const claim = prepared.findClaim.get<FoundClaim>({ account, key });
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
        hasInstance: prepared.findOwner.get<{ account: string }>({ instance })?.account === account,
        isOwner: true,
        trialTaken: trialLimit === null ? 0 : (prepared.trialTaken.get<{ taken: number }>({ account, now })?.taken ?? 0),
      };
    },

    save(call: ClaimCall, outcome: ClaimOutcome, dated: number): void {
      const { accountId: account, requestId: id, keyed, trialLimit } = call;
      if (outcome.outcome !== 'claimed') return;
      if (trialLimit !== null) prepared.reserve.run({ id, account_id: account, node: nodeOf(call), deadline: dated + claimMs });
      const claim = claimOf(call, outcome, dated);
      if (claim !== null) prepared.putClaim.run({ account, key: keyed?.key, ...claim });
    },

    /** Undoes the claim and the reservation of a failed send. */
    release({ requestId: owner, accountId: account, key, handedOver, reservation }: ReleaseCall): void {
      if (reservation !== null) prepared.unreserve.run({ id: reservation });
      if (key !== null) (handedOver ? prepared.leaveClaim : prepared.forgetClaim).run({ account, key, owner });
    },

    settle(calls: readonly SettleCall[]): void {
      const counted = calls.filter(({ accountId: account, keyed, reservation }) => {
        if (reservation !== null) prepared.unreserve.run({ id: reservation });
        return keyed === null || prepared.acceptClaim.run({ account, ...keyed }).changes > 0;
      });
      for (const sum of sumsOf(counted)) {
        prepared.countDay.run(sum);
        prepared.countMonth.run({ ...sum, month: monthOf(sum.day) });
        if (sum.trial > 0) prepared.useTrial.run(sum);
      }
      const unkeyed = calls.filter(({ keyed }) => keyed === null);
      if (unkeyed.length === 0) return;
      const at = unkeyed.reduce((latest, call) => Math.max(latest, call.at), 0);
      prepared.noteSettlement.run({ at, requests: JSON.stringify(unkeyed.map(({ requestId }) => requestId)) });
    },
  };
}
