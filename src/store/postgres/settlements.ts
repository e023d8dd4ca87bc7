import type { SettleCall } from '../hot-path.ts';
import type { ArrayStatements } from './array-statements.ts';
import { columnsOf, sorted } from './columns.ts';
import type { Pool } from './connections.ts';
import { prepare } from './runner.ts';

/** Settles a batch of sends in one statement, all of them or none. */
export function createSettle(pool: Pool, statements: ArrayStatements): (calls: readonly SettleCall[]) => Promise<void> {
  const settle = prepare(pool, 'settle', statements.settle);
  const settleAny = prepare(pool, 'settle_any', statements.settleAny);

  return async (calls) => {
    const sums = new Map<string, { account: string; day: string; type: string; count: number; trial: number }>();
    const accepted = new Map<string, Accepted>();
    const unkeyed: string[] = [];
    for (const { accountId: account, day, type, keyed, reservation, ...call } of calls) {
      const trial = reservation === null ? 0 : 1;
      if (keyed !== null) {
        accepted.set(`${account} ${keyed.key}`, { claimer: account, ...keyed, keyedDay: day, keyedType: type, keyedTrial: trial });
        continue;
      }
      unkeyed.push(call.requestId);
      const id = `${account} ${day} ${type}`;
      const sum = sums.get(id);
      if (sum === undefined) sums.set(id, { account, day, type, count: 1, trial });
      else {
        sum.count++;
        sum.trial += trial;
      }
    }
    const usage = columnsOf(['account', 'day', 'type', 'count', 'trial'] as const, sorted(sums));
    const noted = { requests: unkeyed.length === 0 ? null : JSON.stringify(unkeyed) };
    const reservation = calls.flatMap((call) => call.reservation ?? []);
    if (accepted.size === 0 && reservation.length === 0) await settle.run({ ...usage, ...noted });
    else await settleAny.run({ ...usage, ...noted, ...columnsOf(acceptedColumns, sorted(accepted)), reservation });
  };
}

const acceptedColumns = ['claimer', 'key', 'providerStatus', 'keyedDay', 'keyedType', 'keyedTrial'] as const;

/** A claim to accept, with where its send is counted. */
interface Accepted {
  readonly claimer: string;
  readonly key: string;
  readonly providerStatus: string | null;
  readonly keyedDay: string;
  readonly keyedType: string;
  readonly keyedTrial: number;
}
