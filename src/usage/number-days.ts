import { z } from 'zod';
import { defineWriteKind, type Outbox } from '../outbox/index.ts';
import { addNumberDay, type NumberSeen, type Store } from '../store/index.ts';

/** A day on which a number was seen connected and that may not be counted. */
export const numberDayWrite = defineWriteKind({
  name: 'number_day',
  payload: z.object({ accountId: z.string(), phoneNumber: z.string(), day: z.string() }),
  run: addNumberDay,
});

/**
 * Counts the day for the number, once however often it is seen. Never rejects: a write that fails is retried later. Numbers that are
 * seen at the same moment share a write.
 */
export async function countNumberDay({ hot }: Pick<Store, 'hot'>, outbox: Outbox, seen: NumberSeen): Promise<void> {
  try {
    await hot.seeNumber(seen);
  } catch (error) {
    outbox.add(numberDayWrite, { id: `${seen.accountId} ${seen.day} ${seen.phoneNumber}`, payload: seen }, error);
  }
}
