import { sql } from 'kysely';
import { vi } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';

/**
 * Makes the database refuse every new row of a table, or the end of any; what is returned lets it take them again, also over another store of the
 * same database.
 */
export async function refuseRows(
  { db, dialect }: Store,
  table: string,
  write: 'insert' | 'delete' = 'insert',
): Promise<(store?: Store) => Promise<void>> {
  const before = sql.raw(write);
  const refuse = sql.table(`refuse_${table}`);
  if (dialect === 'sqlite') {
    await sql`create trigger ${refuse} before ${before} on ${sql.table(table)} begin select raise(abort, 'refused'); end`.execute(db);
  } else {
    await sql`create function ${refuse}() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(db);
    await sql`create trigger ${refuse} before ${before} on ${sql.table(table)} for each row execute function ${refuse}()`.execute(db);
  }
  return async (store) => {
    const on = dialect === 'sqlite' ? sql`` : sql`on ${sql.table(table)}`;
    await sql`drop trigger ${refuse} ${on}`.execute(store?.db ?? db);
    if (dialect === 'postgres') await sql`drop function ${refuse}()`.execute(store?.db ?? db);
  };
}

/** Makes the database refuse a number's records with this name (a LIKE pattern); what is returned lets it take them again. */
export async function refuseRecords({ db, dialect }: Store, name: string): Promise<() => Promise<void>> {
  const refused = sql`new.name like ${sql.lit(name)}`;
  if (dialect === 'sqlite') {
    const refuse = sql`when ${refused} begin select raise(abort, 'refused'); end`;
    await sql`create trigger refuse_new before insert on credentials ${refuse}`.execute(db);
    await sql`create trigger refuse_changed before update on credentials ${refuse}`.execute(db);
  } else {
    await sql`create function refuse_record() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(db);
    await sql`create trigger refuse_record before insert or update on credentials for each row when (${refused}) execute function refuse_record()`.execute(
      db,
    );
  }
  return async () => {
    if (dialect === 'sqlite')
      for (const trigger of ['refuse_new', 'refuse_changed']) await sql`drop trigger ${sql.table(trigger)}`.execute(db);
    else await sql`drop function refuse_record() cascade`.execute(db);
  };
}

/** A store that cannot be written right now. */
export interface Outage {
  /** How many writes have failed. */
  failures(): Promise<number>;
  end(): Promise<void>;
}

/** Makes PostgreSQL say that its disk is full, for writes to this table. */
export async function fillDisk({ db }: Store, table: string): Promise<Outage> {
  await sql`create sequence failures`.execute(db);
  await sql`create function full_disk() returns trigger language plpgsql as
    'begin perform nextval(''failures''); raise exception ''no space'' using errcode = ''53100''; end'`.execute(db);
  await sql`create trigger full_disk before insert or update or delete on ${sql.table(table)} for each statement execute function full_disk()`.execute(
    db,
  );
  return {
    async failures() {
      const { rows } = await sql<{ n: number }>`select case when is_called then last_value else 0 end as n from failures`.execute(db);
      return Number(rows[0]?.n);
    },
    async end() {
      await sql`drop trigger full_disk on ${sql.table(table)}`.execute(db);
      await sql`drop function full_disk()`.execute(db);
      await sql`drop sequence failures`.execute(db);
    },
  };
}

/** Makes the store say that it cannot be written: the embedded one for what goes through Kysely, PostgreSQL for this table. What is returned ends that. */
export async function makeStoreUnavailable(store: Store, table: string): Promise<() => Promise<void>> {
  if (store.dialect === 'postgres') return (await fillDisk(store, table)).end;
  await sql`pragma query_only = on`.execute(store.db);
  return async () => void (await sql`pragma query_only = off`.execute(store.db));
}

/** A table that cannot be read right now. */
interface Unreadable {
  /** How many reads have failed. */
  readonly failures: number;
  end(): void;
}

/** Makes the store say that it is away to whoever reads this table, or without one any, through Kysely outside of a transaction. */
export function makeUnreadable({ db }: Store, table?: string): Unreadable {
  let failures = 0;
  const read = db.selectFrom.bind(db);
  const refuse = (from: string) => {
    if (table !== undefined && from !== table) return read(from as never);
    failures++;
    throw new StoreUnavailable('the store is away');
  };
  const spy = vi.spyOn(db, 'selectFrom').mockImplementation(refuse as unknown as typeof db.selectFrom);
  return {
    get failures() {
      return failures;
    },
    end: () => spy.mockRestore(),
  };
}
