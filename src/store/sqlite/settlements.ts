import type Sqlite from 'better-sqlite3';
import type { SettleCall } from '../hot-path.ts';
import type { RowStatements } from '../hot-statements.ts';
import { monthOf } from '../usage.ts';
import { createPrepare } from './prepared.ts';

/** Settles the sends of a tick, in its transaction. */
export function createSettle(database: Sqlite.Database, statements: RowStatements): (calls: readonly SettleCall[]) => void {
  const prepare = createPrepare(database);
  const unreserve = prepare(statements.unreserve);
  const useTrial = prepare(statements.useTrial);
  const countDay = prepare(statements.countDay);
  const countMonth = prepare(statements.countMonth);
  const noteSettlement = prepare(statements.noteSettlement);
  const accept = prepare(statements.acceptClaim);

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
      countDay.run({ account, day, type, count: sends });
      countMonth.run({ account, month: monthOf(day), type, count: sends });
      if (trial > 0) useTrial.run({ account, count: trial });
    }
    if (unkeyed.length > 0) noteSettlement.run({ at, requests: JSON.stringify(unkeyed) });
  };
}
