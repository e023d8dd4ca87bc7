import { monthOf, type SummedDays } from '../summed-days.ts';
import type { ArrayStatements } from './array-statements.ts';
import { columnsOf } from './columns.ts';
import type { Pool } from './connections.ts';
import { inTransaction, type Prepared, prepare } from './runner.ts';

/** A day of an account that something is written of. */
interface AccountDay {
  readonly accountId: string;
  readonly day: string;
}

export type UsageWriter = ReturnType<typeof createUsageWriter>;

/**
 * Makes a writer of usage: runs the statement that writes of these days, by itself, or together with taking back the sums that may have them.
 */
export function createUsageWriter(pool: Pool, statements: ArrayStatements, summed: SummedDays) {
  const takeBackSums = prepare(pool, 'take_back_sums', statements.takeBackSums);

  return async <Name extends string>(
    days: readonly AccountDay[],
    write: Prepared<Name>,
    values: Readonly<Record<Name, unknown>>,
  ): Promise<void> => {
    const late = days.filter(({ day }) => summed.mayHave(day));
    if (late.length === 0) {
      await write.run(values);
      return;
    }
    const rows = late.map(({ accountId, day }) => ({ account: accountId, month: monthOf(day), day }));
    await inTransaction(pool, async (client) => {
      await takeBackSums.on(client, columnsOf(['account', 'month', 'day'] as const, rows));
      await write.on(client, values);
    });
  };
}
