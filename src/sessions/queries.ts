import type { Kysely } from 'kysely';
import type { Database, InstanceRow, Store } from '../store/index.ts';
import type { RestrictionColumns } from './restriction.ts';

/** Every instance, oldest first: what the registry holds after a start. */
export function allInstances(db: Kysely<Database>): Promise<InstanceRow[]> {
  return db.selectFrom('instances').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Notes what the registry learned of an instance. */
export async function updateInstance(
  db: Kysely<Database>,
  id: string,
  change: { label?: string; phone_number?: string; conflict?: number } & Partial<RestrictionColumns>,
): Promise<void> {
  await db.updateTable('instances').set(change).where('id', '=', id).execute();
}

/** Whether the instance has credentials. */
export async function isLinked(db: Kysely<Database>, id: string): Promise<boolean> {
  const row = await db.selectFrom('instances').select('linked').where('id', '=', id).executeTakeFirst();
  return row?.linked === 1;
}

/** Removes an instance with its credentials. */
export async function deleteInstance(store: Store, id: string): Promise<void> {
  await store.transaction(async (trx) => {
    await trx.deleteFrom('credentials').where('instance_id', '=', id).execute();
    await trx.deleteFrom('instances').where('id', '=', id).execute();
  });
}

/** The sealed credential records with these names. */
export function readCredentials(
  db: Kysely<Database>,
  instanceId: string,
  names: readonly string[],
): Promise<{ name: string; sealed: Buffer }[]> {
  if (names.length === 0) return Promise.resolve([]);
  return db.selectFrom('credentials').select(['name', 'sealed']).where('instance_id', '=', instanceId).where('name', 'in', names).execute();
}

/** Deletes every credential record: the instance is no longer linked. */
export async function clearCredentials(store: Store, instanceId: string): Promise<void> {
  await store.transaction(async (trx) => {
    await trx.deleteFrom('credentials').where('instance_id', '=', instanceId).execute();
    await trx.updateTable('instances').set({ linked: 0 }).where('id', '=', instanceId).execute();
  });
}
