import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { createDatabase } from '../support/databases.ts';
import { startPostgres, type TestServer } from '../support/postgres.ts';
import { requestRecord } from '../support/request-log.ts';
import { waitFor } from '../support/wait-for.ts';
import { keyed, type Seeded, seed, start } from './seed.ts';

describe('a PostgreSQL server that goes away', () => {
  let server: TestServer;
  let name: string;
  let store: Store;
  let account: Seeded;
  beforeAll(async () => {
    server = await startPostgres();
    const database = await createDatabase(server.url);
    name = database.name;
    store = await openPostgresStore(database.url);
    await store.becomeServer();
    account = await seed(store);
  });
  afterAll(async () => {
    await store?.close();
    await server?.dispose();
  });

  const everyCall = () => [
    store.hot.admit({ keyHash: account.keyHash, now: start }),
    store.hot.claim(account.claim({ keyed: keyed(`k${Math.random()}`) })),
    store.hot.claim(account.claim({ trialLimit: 1000 })),
    store.hot.settle(account.settle()),
    store.hot.release({ requestId: newId(), accountId: account.accountId, key: 'none', handedOver: false, reservation: null }),
    store.db.selectFrom('plans').selectAll().execute(),
    store.transaction((trx) => trx.updateTable('accounts').set({ name: 'Bea' }).execute()),
  ];

  it('fails calls until it is back, and the process lives on', async () => {
    const lost = vi.fn();
    store.onLost(lost);
    await Promise.all(everyCall());
    await store.hot.claim(account.claim({ keyed: keyed('caught in flight') }));

    let calling = true;
    let failed = 0;
    const callers = Array.from({ length: 20 }, async () => {
      while (calling) for (const result of await Promise.allSettled(everyCall())) if (result.status === 'rejected') failed++;
    });
    await server.crash();
    await waitFor(() => expect(failed).toBeGreaterThan(100));
    calling = false;
    await Promise.all(callers);
    store.hot.log(requestRecord({ request_id: 'lost', at: start }));
    const results = await Promise.allSettled(everyCall());
    expect(results.map((result) => result.status)).toEqual(results.map(() => 'rejected'));

    await server.start();
    await waitFor(() => Promise.all(everyCall()));
    // A send that could not report its end is known to be this server's own, which takes it over.
    expect(await store.hot.claim(account.claim({ keyed: keyed('caught in flight') }))).toMatchObject({ outcome: 'in_flight', here: true });
    expect(lost).not.toHaveBeenCalled();
  });

  describe('where a standby takes its place', () => {
    let admin: pg.Client;
    beforeEach(async () => {
      admin = new pg.Client({ connectionString: server.url });
      await admin.connect();
    });
    afterEach(() => admin.end());

    const readOnly = 'default_transaction_read_only';
    const locks = async () => (await admin.query(`select 1 from pg_locks where locktype = 'advisory' and granted`)).rowCount;
    const isLocked = (wanted: number) => waitFor(async () => expect(await locks()).toBe(wanted));

    it('writes again as soon as new connections lead to the primary, though others were made to the standby', async () => {
      const lost = vi.fn();
      store.onLost(lost);
      await Promise.all(everyCall());
      await admin.query(`alter database ${name} set ${readOnly} = on`);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      await waitFor(async () => {
        const results = await Promise.allSettled(everyCall());
        const reasons = results.flatMap((result) => (result.status === 'rejected' ? [`${result.reason}`] : []));
        // All but the two that only read.
        expect(reasons.filter((reason) => reason.includes('read-only'))).toHaveLength(results.length - 2);
      });
      expect(await locks()).toBe(0);
      await admin.query(`alter database ${name} reset ${readOnly}`);
      await waitFor(() => Promise.all(everyCall()));
      await isLocked(1);
      expect(lost).not.toHaveBeenCalled();
    });

    it('gives the lock up where the primary itself becomes read-only, and takes it again', async () => {
      await isLocked(1);
      await admin.query(`alter system set ${readOnly} = on`);
      await admin.query('select pg_reload_conf()');
      await isLocked(0);
      await admin.query(`alter system reset ${readOnly}`);
      await admin.query('select pg_reload_conf()');
      await isLocked(1);
    });
  });
});
