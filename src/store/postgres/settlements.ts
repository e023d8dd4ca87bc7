import type { SettleCall } from '../hot-path.ts';
import { sumsOf } from '../send-ends.ts';
import type { ArrayStatements } from './array-statements.ts';
import { columnsOf, sorted } from './columns.ts';
import type { Pool } from './connections.ts';
import { prepare } from './runner.ts';

/** Settles a batch of sends in one statement, all of them or none. */
export function createSettle(pool: Pool, statements: ArrayStatements): (calls: readonly SettleCall[]) => Promise<void> {
  const settle = prepare(pool, 'settle', statements.settle);
  const settleAny = prepare(pool, 'settle_any', statements.settleAny);

  return async (calls) => {
    const unkeyed = calls.filter(({ keyed }) => keyed === null);
    const accepted = new Map<string, Accepted>();
    for (const { accountId: account, day, type, keyed, reservation } of calls) {
      const of = { claimer: account, keyedDay: day, keyedType: type, keyedTrial: reservation === null ? 0 : 1 };
      if (keyed !== null) accepted.set(`${account} ${keyed.key}`, { ...keyed, ...of });
    }
    const usage = columnsOf(['account', 'day', 'type', 'count', 'trial'] as const, sumsOf(unkeyed));
    const noted = { requests: unkeyed.length === 0 ? null : JSON.stringify(unkeyed.map(({ requestId }) => requestId)) };
    const reservation = calls.flatMap((call) => call.reservation ?? []);
    if (accepted.size === 0 && reservation.length === 0) await settle.run({ ...usage, ...noted });
    else await settleAny.run({ ...usage, ...noted, ...columnsOf(acceptedColumns, sorted(accepted)), reservation });
  };
}

const acceptedColumns = ['claimer', 'key', 'messageId', 'providerStatus', 'keyedDay', 'keyedType', 'keyedTrial'] as const;

/** A claim to accept, with where its send is counted. */
interface Accepted {
  readonly claimer: string;
  readonly key: string;
  readonly messageId: string;
  readonly providerStatus: string | null;
  readonly keyedDay: string;
  readonly keyedType: string;
  readonly keyedTrial: number;
}
