import type { Kysely } from 'kysely';
import type { Database } from '../schema.ts';

const name = 'request_names_to';

/** The last segment of the request log that is noted; 0 before the first. */
export async function notedTo(db: Kysely<Database>): Promise<number> {
  const row = await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst();
  return Number(row?.value ?? 0);
}

/** Moves the position; false when somebody else has moved it meanwhile. */
export async function moveNotedTo(trx: Kysely<Database>, from: number, to: number): Promise<boolean> {
  await trx
    .insertInto('meta')
    .values({ name, value: '0' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const moved = await trx
    .updateTable('meta')
    .set({ value: String(to) })
    .where('name', '=', name)
    .where('value', '=', String(from))
    .executeTakeFirst();
  return Number(moved.numUpdatedRows) > 0;
}
