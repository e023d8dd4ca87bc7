import type Sqlite from 'better-sqlite3';
import type { SettleCall } from '../hot-path.ts';
import type { RowStatements } from '../hot-statements.ts';
import { monthOf, type SummedDays } from '../summed-days.ts';
import { createPrepare } from './prepared.ts';

/** Settles the sends of a tick, in its transaction. */
export function createSettle(
  database: Sqlite.Database,
  statements: RowStatements,
  summed: SummedDays,
): (calls: readonly SettleCall[]) => void {
  const prepare = createPrepare(database);
  const unreserve = prepare(statements.unreserve);
  const useTrial = prepare(statements.useTrial);
  const count = prepare(statements.count);
  const noteSettlement = prepare(statements.noteSettlement);
  const accept = prepare(statements.acceptClaim);
  const takeBackSum = prepare(statements.takeBackSum);

  return (calls) => {
    const sums = new Map<string, { account: string; day: string; type: string; count: number; trial: number }>();
    const unkeyed: string[] = [];
    let at = 0;
    for (const call of calls) {
      const { accountId: account, day, type, keyed, reservation } = call;
      if (reservation !== null) unreserve.run({ id: reservation });
      if (keyed === null) {
        unkeyed.push(call.requestId);
        at = Math.max(at, call.at);
      } else if (accept.run({ account, key: keyed.key, status: keyed.providerStatus }).changes === 0) {
        // A claim that is accepted already was counted already.
        continue;
      }
      const id = `${account} ${day} ${type}`;
      const sum = sums.get(id) ?? { account, day, type, count: 0, trial: 0 };
      sums.set(id, sum);
      sum.count++;
      if (reservation !== null) sum.trial++;
    }
    for (const { account, day, type, count: sends, trial } of sums.values()) {
      count.run({ account, day, type, count: sends });
      if (summed.mayHave(day)) takeBackSum.run({ account, month: monthOf(day), day });
      if (trial > 0) useTrial.run({ account, count: trial });
    }
    if (unkeyed.length > 0) noteSettlement.run({ at, requests: JSON.stringify(unkeyed) });
  };
}
