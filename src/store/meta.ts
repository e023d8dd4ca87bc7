import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** A single value of the installation; null when there is none. */
export async function readMeta(db: Kysely<Database>, name: string): Promise<string | null> {
  return (await db.selectFrom('meta').select('value').where('name', '=', name).executeTakeFirst())?.value ?? null;
}

export async function writeMeta(db: Kysely<Database>, name: string, value: string): Promise<void> {
  await db
    .insertInto('meta')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
