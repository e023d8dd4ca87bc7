import type { SettleCall } from '../hot-path.ts';
import type { RowStatements } from '../hot-statements.ts';
import { sumsOf } from '../send-ends.ts';
import { monthOf } from '../usage.ts';
import { createPrepare, type Preparing } from './prepared.ts';

/** Settles the sends of a tick, in its transaction. */
export function createSettle(database: Preparing, statements: RowStatements): (calls: readonly SettleCall[]) => void {
  const prepare = createPrepare(database);
  const unreserve = prepare(statements.unreserve);
  const useTrial = prepare(statements.useTrial);
  const countDay = prepare(statements.countDay);
  const countMonth = prepare(statements.countMonth);
  const noteSettlement = prepare(statements.noteSettlement);
  const accept = prepare(statements.acceptClaim);

  return (calls) => {
    const counted = calls.filter(({ accountId: account, keyed, reservation }) => {
      if (reservation !== null) unreserve.run({ id: reservation });
      return keyed === null || accept.run({ account, ...keyed }).changes > 0;
    });
    for (const sum of sumsOf(counted)) {
      countDay.run(sum);
      countMonth.run({ ...sum, month: monthOf(sum.day) });
      if (sum.trial > 0) useTrial.run(sum);
    }
    const unkeyed = calls.filter(({ keyed }) => keyed === null);
    if (unkeyed.length === 0) return;
    const at = unkeyed.reduce((latest, call) => Math.max(latest, call.at), 0);
    noteSettlement.run({ at, requests: JSON.stringify(unkeyed.map(({ requestId }) => requestId)) });
  };
}
