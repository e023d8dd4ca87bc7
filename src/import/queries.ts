import { sql } from 'kysely';
import { type Db, dialectOf } from '../store/index.ts';

/** So many rows fit into one statement of either database. */
const rowsAtOnce = 1_000;
/** The pair of numbers of an advisory lock is "gate", "impo" in ASCII. */
const importLock = [0x67617465, 0x696d706f] as const;

/** Until the transaction ends, no other server stores an imported number (an embedded database has one server only). */
export async function lockImports(trx: Db): Promise<void> {
  if (dialectOf(trx) === 'postgres') await sql`select pg_advisory_xact_lock(${importLock[0]}, ${importLock[1]})`.execute(trx);
}

/** Lets the servers that run take a new instance: they look only at leases. An embedded database has one server, and no leases. */
export async function leaveToServers(trx: Db, instance_id: string): Promise<void> {
  if (dialectOf(trx) === 'postgres') await trx.insertInto('leases').values({ instance_id, epoch: 0 }).execute();
}

/** The linked instances with these phone numbers, in whatever account, by their numbers. */
export async function linkedWith(
  db: Db,
  phoneNumbers: readonly string[],
): Promise<ReadonlyMap<string, { readonly id: string; readonly account_id: string }>> {
  // As the index has it.
  const number = sql<string>`coalesce(phone_number, '')`;
  const rows = await db
    .selectFrom('instances')
    .select(['id', 'account_id', number.as('number')])
    .where(number, 'in', phoneNumbers)
    .where('network', '=', 'whatsapp')
    .where('linked', '=', 1)
    .execute();
  return new Map(rows.map((row) => [row.number, row]));
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
