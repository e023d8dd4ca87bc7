import { sql } from 'kysely';
import type { Store } from '../../src/store/index.ts';

/** From now on the database refuses to delete rows of this table. */
export async function refuseDeletes({ db, dialect }: Store, table: 'instances' | 'credentials'): Promise<void> {
  if (dialect === 'sqlite') {
    await sql`create trigger refuse before delete on ${sql.table(table)} begin select raise(abort, 'refused'); end`.execute(db);
    return;
  }
  await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`.execute(db);
  await sql`create trigger refuse before delete on ${sql.table(table)} for each row execute function refuse()`.execute(db);
}

export async function allowDeletes({ db, dialect }: Store): Promise<void> {
  await (dialect === 'sqlite' ? sql`drop trigger refuse` : sql`drop function refuse cascade`).execute(db);
}
