import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OperatorError } from '../../src/core/index.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { keyed, seed } from './seed.ts';

const program = fileURLToPath(new URL('become-server.ts', import.meta.url));

describe.each(storeKinds)('the one server on %s', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
  });
  afterEach(() => database.dispose());

  it('keeps a second one away until it is closed', async () => {
    const first = await database.open();
    await first.becomeServer();
    const second = await database.open();
    await expect(second.becomeServer()).rejects.toThrow(OperatorError);
    await expect(second.becomeServer()).rejects.toThrow(/^another gateway server/);
    await first.close();
    await second.becomeServer();
  });

  it('takes over from a killed one and clears what that left', async () => {
    const store = await database.open();
    const account = await seed(store);
    const calls = [account.claim({ keyed: keyed('a'), trialLimit: 1 }), account.claim({ keyed: keyed('b') })];
    const child = spawn(process.execPath, [program, kind, database.location, JSON.stringify(calls)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    await expect(store.becomeServer()).rejects.toThrow(/^another gateway server/);
    expect(await store.hot.claim(account.claim({ keyed: keyed('a') }))).toMatchObject({ outcome: 'in_flight' });
    child.kill('SIGKILL');
    await once(child, 'exit');
    // PostgreSQL notices the death of a process a moment after the process is gone.
    await vi.waitFor(() => store.becomeServer(), { timeout: 60_000, interval: 50 });
    const claims = await store.db.selectFrom('claims').select(['key', 'state']).orderBy('key').execute();
    expect(claims).toEqual(['a', 'b'].map((key) => ({ key, state: 'unknown' })));
    expect(await store.db.selectFrom('trial_reservations').selectAll().execute()).toEqual([]);
    expect(await store.hot.claim(account.claim({ keyed: keyed('a'), trialLimit: 1 }))).toMatchObject({ outcome: 'claimed', retaken: true });
  });
});

describe.each(storeKinds.filter((kind) => kind === 'postgres'))('several servers on %s', (kind) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
  });
  afterEach(() => database.dispose());

  const shared = { shared: true };
  /** As if the last change of the schema were still to come; it can be made again. */
  async function olderSchema() {
    const store = await database.open();
    const { applied } = await store.schema();
    await sql`drop table leases`.execute(store.db);
    await sql`alter table claims drop column node, drop column deadline`.execute(store.db);
    await sql`alter table trial_reservations drop column node`.execute(store.db);
    await sql`drop table nodes`.execute(store.db);
    await sql`delete from kysely_migration where name = ${applied.at(-1)}`.execute(store.db);
  }

  it('start at once on a schema that is to be changed, which one of them does', async () => {
    await olderSchema();
    const stores = await Promise.all([1, 2, 3].map(() => database.open()));
    await Promise.all(stores.map((store) => store.becomeServer(shared)));
    for (const store of stores) expect((await store.schema()).pending).toEqual([]);
  });

  it('keep a newer one away that would change the schema under them', async () => {
    const older = await database.open();
    await older.becomeServer(shared);
    await olderSchema();
    const newer = await database.open();
    await expect(newer.becomeServer(shared)).rejects.toThrow(/^servers of an older version use this database/);
    expect((await newer.schema()).pending).toHaveLength(1);
    await older.close();
    await newer.becomeServer(shared);
    expect((await newer.schema()).pending).toEqual([]);
  });
});

// Without PostgreSQL there is no such lock to be tested.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))('the lock on %s', (kind) => {
  let database: TestDatabase;
  let admin: pg.Client;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
    admin = new pg.Client({ connectionString: database.location });
    await admin.connect();
  });
  afterEach(async () => {
    await admin.end();
    await database.dispose();
  });

  const holders = async (granted = true) => {
    const { rows } = await admin.query<{ pid: number; classid: string; objid: string }>(
      `select pid, classid, objid from pg_locks where locktype = 'advisory' and granted = $1
       and database = (select oid from pg_database where datname = current_database())`,
      [granted],
    );
    return rows;
  };

  it('is taken again when its connection breaks', async () => {
    const store = await database.open();
    const lost = vi.fn();
    store.onLost(lost);
    await store.becomeServer();
    const [before] = await holders();
    await admin.query('select pg_terminate_backend($1)', [before?.pid]);
    await vi.waitFor(async () => {
      const now = await holders();
      expect(now).toHaveLength(1);
      expect(now[0]?.pid).not.toBe(before?.pid);
    });
    expect(lost).not.toHaveBeenCalled();
    await expect((await database.open()).becomeServer()).rejects.toThrow(/^another gateway server/);
  });

  it('is lost to another server that took it meanwhile', async () => {
    const store = await database.open();
    const lost = vi.fn();
    store.onLost(lost);
    await store.becomeServer();
    const [before] = await holders();
    const rival = new pg.Client({ connectionString: database.location });
    rival.on('error', () => undefined);
    await rival.connect();
    // Whoever waits for the lock has it the moment its holder is gone.
    const taken = rival.query('select pg_advisory_lock($1, $2)', [before?.classid, before?.objid]);
    await vi.waitFor(async () => expect(await holders(false)).toHaveLength(1));
    await admin.query('select pg_terminate_backend($1)', [before?.pid]);
    await taken;
    await vi.waitFor(() => expect(lost).toHaveBeenCalledOnce());
    expect(lost).toHaveBeenCalledWith('another gateway server has taken over this database');
    await rival.end();
  });
});
