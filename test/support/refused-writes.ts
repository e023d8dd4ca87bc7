import { sql } from 'kysely';
import type { Store } from '../../src/store/index.ts';

/** Makes the database refuse every new row of a table; what is returned lets it take them again, also over another store of the same database. */
export async function refuseRows({ db, dialect }: Store, table: string): Promise<(store?: Store) => Promise<void>> {
  if (dialect === 'sqlite') {
    await sql`create trigger refuse before insert on ${sql.table(table)} begin select raise(abort, 'refused'); end`.execute(db);
  } else {
    await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(db);
    await sql`create trigger refuse before insert on ${sql.table(table)} for each row execute function refuse()`.execute(db);
  }
  return async (store) => {
    const on = dialect === 'sqlite' ? sql`` : sql`on ${sql.table(table)}`;
    await sql`drop trigger refuse ${on}`.execute(store?.db ?? db);
    if (dialect === 'postgres') await sql`drop function refuse()`.execute(store?.db ?? db);
  };
}
