import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OperatorError, StoreUnavailable } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { migrate } from '../../src/store/migrate.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { lockDatabase } from '../../src/store/postgres/server-lock.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { waitFor } from '../support/wait-for.ts';
import { nextChange, nextRelease } from './other-releases.ts';
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

  it('takes over from a killed one and what that left [trial.outlives]', async () => {
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
    await waitFor(() => store.becomeServer());
    const claims = await store.db.selectFrom('claims').select(['key', 'state']).orderBy('key').execute();
    expect(claims).toEqual(['a', 'b'].map((key) => ({ key, state: 'unknown' })));
    // What it had handed over may have been delivered, so the unit of its trial is not free before the send would have ended.
    expect(await store.hot.claim(account.claim({ keyed: keyed('a'), trialLimit: 1 }))).toEqual({ outcome: 'trial_exhausted' });
    await store.db.updateTable('trial_reservations').set({ deadline: 1 }).execute();
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
  const applied = async (store: Store) => (await store.schema()).applied.at(-1);

  it('start at once on a schema that is to be changed, which one of them does', async () => {
    const changes = nextRelease('postgres', { additive: false });
    const stores = await Promise.all([1, 2, 3].map(() => database.open({ changes })));
    await Promise.all(stores.map((store) => store.becomeServer(shared)));
    for (const store of stores) expect((await store.schema()).pending).toEqual([]);
  });

  it('keep a newer one away that would change the schema under them', async () => {
    const older = await database.open();
    await older.becomeServer(shared);
    const newer = await database.open({ changes: nextRelease('postgres', { additive: false }) });
    await expect(newer.becomeServer(shared)).rejects.toThrow(/^servers of an older version use this database/);
    expect((await newer.schema()).pending).toEqual([nextChange]);
    await older.close();
    await newer.becomeServer(shared);
    expect(await applied(newer)).toBe(nextChange);
  });

  it('let newer ones add to the schema, at once and while somebody reads, and work on', async () => {
    const older = await database.open();
    await older.becomeServer(shared);
    const account = await seed(older);
    const admin = new pg.Client({ connectionString: database.location });
    await admin.connect();
    try {
      // The change cannot be made before this reader has ended, and must not keep the older server's statements waiting meanwhile.
      await admin.query('begin; select from claims');
      const changes = nextRelease('postgres', { additive: true });
      const newer = await Promise.all([1, 2].map(() => database.open({ changes })));
      const becoming = Promise.all(newer.map((store) => store.becomeServer(shared)));
      expect(await older.hot.claim(account.claim({ keyed: keyed('a') }))).toMatchObject({ outcome: 'claimed' });
      await admin.query('commit');
      await becoming;
      for (const store of newer) expect(await applied(store)).toBe(nextChange);
    } finally {
      await admin.end();
    }
    expect(await older.hot.claim(account.claim({ keyed: keyed('b') }))).toMatchObject({ outcome: 'claimed' });
    // One of the older release that starts anew.
    await (await database.open()).becomeServer(shared);
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

  /** Ends the session that holds the lock; gives another one, which has it from that moment on. */
  async function takenFrom(holder: Awaited<ReturnType<typeof holders>>[number] | undefined): Promise<pg.Client> {
    const rival = new pg.Client({ connectionString: database.location });
    rival.on('error', () => undefined);
    await rival.connect();
    // Whoever waits for the lock has it the moment its holder is gone.
    const taken = rival.query('select pg_advisory_lock($1, $2)', [holder?.classid, holder?.objid]);
    await waitFor(async () => expect(await holders(false)).toHaveLength(1));
    await admin.query('select pg_terminate_backend($1)', [holder?.pid]);
    await taken;
    return rival;
  }

  it('is taken again when its connection breaks', async () => {
    const store = await database.open();
    const lost = vi.fn();
    store.onLost(lost);
    await store.becomeServer();
    const [before] = await holders();
    await admin.query('select pg_terminate_backend($1)', [before?.pid]);
    await waitFor(async () => {
      const now = await holders();
      expect(now).toHaveLength(1);
      expect(now[0]?.pid).not.toBe(before?.pid);
    });
    expect(lost).not.toHaveBeenCalled();
    await expect((await database.open()).becomeServer()).rejects.toThrow(/^another gateway server/);
  });

  it('is taken again however long the database was away', async () => {
    const url = new URL(database.location);
    const proxy = await startTcpProxy(Number(url.port));
    url.port = `${proxy.port}`;
    const events = { lost: vi.fn(), regained: vi.fn() };
    const lock = await lockDatabase(url.href, events);
    const connects = vi.spyOn(pg.Client.prototype, 'connect');
    const tries = (most: number) => waitFor(() => expect(connects.mock.calls.length).toBeGreaterThanOrEqual(most));
    try {
      proxy.cut();
      await tries(1);
      const now = performance.now.bind(performance);
      vi.spyOn(performance, 'now').mockImplementation(() => now() + 24 * 60 * 60 * 1000);
      await tries(connects.mock.calls.length + 2);
      proxy.mend();
      await waitFor(() => expect(events.regained).toHaveBeenCalledOnce());
      expect(events.lost).not.toHaveBeenCalled();
      expect(await holders()).toHaveLength(1);
    } finally {
      vi.restoreAllMocks();
      await lock?.release();
      await proxy.close();
    }
  });

  it('is lost to another server that took it meanwhile', async () => {
    const store = await database.open();
    const lost = vi.fn();
    store.onLost(lost);
    await store.becomeServer();
    const [before] = await holders();
    const rival = await takenFrom(before);
    await waitFor(() => expect(lost).toHaveBeenCalledOnce());
    expect(lost).toHaveBeenCalledWith('another gateway server has taken over this database');
    await rival.end();
  });

  it('is taken again where the schema cannot be read at first', async () => {
    const store = await openPostgresStore(database.location);
    try {
      const lost = vi.fn();
      store.onLost(lost);
      await store.becomeServer({ shared: true });
      const looks = vi.spyOn(store, 'schema').mockRejectedValueOnce(new StoreUnavailable('cannot use the PostgreSQL database'));
      const [before] = await holders();
      await admin.query('select pg_terminate_backend($1)', [before?.pid]);
      await waitFor(() => expect(looks).toHaveBeenCalledTimes(2));
      await looks.mock.results[1]?.value;
      expect(lost).not.toHaveBeenCalled();
    } finally {
      await store.close();
    }
  });

  it('that servers share is lost when a newer server has changed the schema meanwhile', async () => {
    const store = await database.open();
    const lost = vi.fn();
    store.onLost(lost);
    await store.becomeServer({ shared: true });
    const [before] = await holders();
    const rival = await takenFrom(before);
    const changes = nextRelease(kind, { additive: false });
    await migrate((await database.open({ changes })).db, kind, changes);
    expect(lost).not.toHaveBeenCalled();
    await rival.end();
    await waitFor(() => expect(lost).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('made by a newer version')));
  });

  it('that servers share is taken again when another one has held it alone for a moment', async () => {
    const store = await database.open();
    const lost = vi.fn();
    store.onLost(lost);
    await store.becomeServer({ shared: true });
    const [before] = await holders();
    const rival = await takenFrom(before);
    const [alone] = await holders();
    await expect(waitFor(() => expect(lost).toHaveBeenCalled(), { timeout: 500 })).rejects.toThrow();
    await rival.end();
    await waitFor(async () => {
      const now = await holders();
      expect(now).toHaveLength(1);
      expect(now[0]?.pid).not.toBe(alone?.pid);
    });
    expect(lost).not.toHaveBeenCalled();
  });
});
