import { sql } from 'kysely';
import type { Db, Dialect } from '../store/index.ts';

/** So many rows fit into one statement of either database. */
const rowsAtOnce = 1_000;
/** The pair of numbers of an advisory lock is "gate", "impo" in ASCII. */
const importLock = [0x67617465, 0x696d706f] as const;

/** Until the transaction ends, no other server stores an imported number (an embedded database has one server only). */
export async function lockImports(trx: Db, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${importLock[0]}, ${importLock[1]})`.execute(trx);
}

/** A linked instance with this phone number, in whatever account; undefined when there is none. */
export function linkedWith(db: Db, phoneNumber: string): Promise<{ id: string; account_id: string } | undefined> {
  return db
    .selectFrom('instances')
    .select(['id', 'account_id'])
    .where('phone_number', '=', phoneNumber)
    .where('network', '=', 'whatsapp')
    .where('linked', '=', 1)
    .executeTakeFirst();
}

/** Makes a new instance a linked one. */
export async function insertLink(
  trx: Db,
  instance_id: string,
  phone_number: string,
  linked_at: number,
  records: ReadonlyMap<string, Buffer>,
): Promise<void> {
  await trx.updateTable('instances').set({ phone_number, linked: 1, linked_at }).where('id', '=', instance_id).execute();
  const rows = [...records].map(([name, sealed]) => ({ instance_id, name, sealed }));
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    await trx
      .insertInto('credentials')
      .values(rows.slice(from, from + rowsAtOnce))
      .execute();
  }
}
