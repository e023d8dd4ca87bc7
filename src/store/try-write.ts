import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** One small write that is committed. Throws StoreUnavailable when the store cannot be written. */
export async function tryWrite(db: Kysely<Database>): Promise<void> {
  const value = new Date().toISOString();
  await db
    .insertInto('meta')
    .values({ name: 'last tried to write', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
