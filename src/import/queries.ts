import type { Db } from '../store/index.ts';

/** So many rows fit into one statement of either database. */
const rowsAtOnce = 1_000;

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
