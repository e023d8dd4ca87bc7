import { z } from 'zod';
import { type Debts, defineDebtKind } from '../debts/index.ts';
import { addNumberDay, type NumberSeen, type Store } from '../store/index.ts';

/** A day on which a number was seen connected and that may not be counted. */
export const numberDayDebt = defineDebtKind({
  name: 'number_day',
  payload: z.object({ accountId: z.string(), phoneNumber: z.string(), day: z.string() }),
  pay: addNumberDay,
});

/**
 * Counts the day for the number, once however often it is seen. Never rejects: what the store does not take now is owed. Numbers that are
 * seen at the same moment share a write.
 */
export async function countNumberDay({ hot }: Pick<Store, 'hot'>, debts: Debts, seen: NumberSeen): Promise<void> {
  try {
    await hot.seeNumber(seen);
  } catch (error) {
    debts.owe(numberDayDebt, { id: `${seen.accountId} ${seen.day} ${seen.phoneNumber}`, payload: seen }, error);
  }
}
