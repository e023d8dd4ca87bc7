import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newId, StoreUnavailable } from '../../src/core/index.ts';
import { holdLease, type Store } from '../../src/store/index.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { keyed, type Seeded, said, seed } from './seed.ts';

/** What somebody may have set for good reasons of his own. */
const defaults = {
  synchronous_commit: 'off',
  default_transaction_isolation: 'repeatable read',
  TimeZone: 'Asia/Kolkata',
  statement_timeout: '50ms',
  lock_timeout: '10ms',
  idle_in_transaction_session_timeout: '0',
};

let database: TestDatabase;
let store: Store;
let account: Seeded;
beforeEach(async () => {
  database = await createTestDatabase('postgres');
  const client = new pg.Client({ connectionString: database.location });
  await client.connect();
  const name = new URL(database.location).pathname.slice(1);
  for (const [setting, value] of Object.entries(defaults)) await client.query(`alter database ${name} set ${setting} = '${value}'`);
  await client.end();
  store = await database.open();
  account = await seed(store);
});
afterEach(() => database.dispose());

it('what writes what must last is not led by the defaults of the database, nor by options in its URL [idem.session]', async () => {
  const url = new URL(database.location);
  url.searchParams.set('options', '-c synchronous_commit=off -c work_mem=5MB');
  url.searchParams.set('statement_timeout', '60');
  const other = await openPostgresStore(url.href);
  await sql`create table written (place text, settings text)`.execute(store.db);
  await sql`create function note() returns trigger language plpgsql as 'begin
    insert into written values (tg_table_name, concat_ws('','', current_setting(''synchronous_commit''), current_setting(''transaction_isolation''),
      current_setting(''TimeZone''), current_setting(''statement_timeout''), current_setting(''lock_timeout''),
      current_setting(''idle_in_transaction_session_timeout''), current_setting(''tcp_keepalives_idle''))); return null; end'`.execute(
    store.db,
  );
  for (const table of ['claims', 'trial_reservations', 'usage_sends', 'credentials', 'pending_writes', 'accounts'])
    await sql`create trigger note after insert or update on ${sql.table(table)} for each statement execute function note()`.execute(
      store.db,
    );
  for (const { hot, transaction } of [store, other]) {
    const call = account.claim({ keyed: keyed(newId()), trialLimit: 100 });
    const { key } = call.keyed ?? keyed('');
    await hot.claim(account.claim({ keyed: keyed(newId()) }));
    await hot.claim(call);
    await hot.settle(account.settle({ keyed: said(key), reservation: call.requestId }));
    await hot.keep({ instanceId: account.instanceId, lease: null, records: new Map([['a', Buffer.from('a')]]) });
    await transaction((trx) => trx.updateTable('accounts').set({ name: 'Eve' }).execute());
  }
  const { rows } = await sql<{ settings: string; places: number }>`
    select settings, count(distinct place)::integer as places from written group by settings`.execute(store.db);
  expect(rows).toEqual([{ settings: 'on,read committed,UTC,15s,0,5s,10', places: 5 }]);
  expect((await sql<{ work_mem: string }>`show work_mem`.execute(other.db)).rows).toEqual([{ work_mem: '5MB' }]);
  await other.close();
});

it('a trial is exact where repeatable read is the default [trial.exact]', async () => {
  const stores = [store, await database.open(), await database.open()];
  const outcomes = await Promise.all(
    Array.from({ length: 90 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i % 7));
      return (await (stores[i % 3] ?? store).hot.claim(account.claim({ trialLimit: 20 }))).outcome;
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 'claimed')).toHaveLength(20);
});

it('a transaction that a server has left open keeps its numbers from the others no longer than its lease', async () => {
  const join = async (name: string) => {
    const { leases, transaction, writability } = await database.open();
    if (leases === null) throw new Error('the store has no leases');
    const address = `http://${name}:3000`;
    await leases.join({ name, address, ttlMs: 60_000, alone: false, networks: ['sandbox'] });
    return { leases, transaction, writability };
  };
  const [halted, other] = [await join('halted'), await join('other')];
  const [taken] = await halted.leases.acquire(1);
  const lease = taken?.lease ?? null;
  const held = Promise.withResolvers<number>();
  const resumed = Promise.withResolvers<void>();
  const writing = halted.transaction(async (trx) => {
    await holdLease(trx, account.instanceId, lease);
    held.resolve((await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)).rows[0]?.pid ?? 0);
    await resumed.promise;
  });
  const session = await held.promise;
  await store.db
    .updateTable('nodes')
    .set({ expires_at: 1 })
    .where('id', '=', lease?.nodeId ?? '')
    .execute();
  await other.leases.balance();
  expect((await other.leases.acquire(1)).map(({ row }) => row.id)).toEqual([account.instanceId]);
  // Its connection is closed by then, too.
  const isThere = sql`select from pg_stat_activity where pid = ${session}`;
  await waitFor(async () => expect((await isThere.execute(store.db)).rows).toEqual([]));
  resumed.resolve();
  await expect(writing).rejects.toThrow(StoreUnavailable);
  expect(halted.writability.trouble).toBe(null);
});

it('a pooler that keeps the settings of sessions back is noticed when the store is opened', async () => {
  // As a session looks whose start was changed on its way.
  await sql`create function public.current_setting(name text) returns text language sql as 'select ''off'''`.execute(store.db);
  await expect(openPostgresStore(database.location)).rejects.toThrow(/does not give sessions the settings.*synchronous_commit.*pooler/);
});

it('a pooler that lets sessions share connections is noticed when the store is opened', async () => {
  // As two sessions look that a pooler answers over one connection.
  await sql`create function public.pg_backend_pid() returns integer language sql as 'select 1'`.execute(store.db);
  await expect(openPostgresStore(database.location)).rejects.toThrow(/connection of its own.*pool_mode=session/);
});
