import { afterEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../src/core/index.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { lockDatabase } from '../../src/store/postgres/server-lock.ts';
import { lockDataFolder } from '../../src/store/sqlite/server-lock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { createTestDatabase, type StoreKind, storeKinds, type TestDatabase } from '../support/stores.ts';
import { changesBefore, madeBefore, nextChange, nextRelease } from './other-releases.ts';
import { keyed, seed } from './seed.ts';

describe.each(storeKinds)('opening a store on %s', (kind) => {
  let database: TestDatabase;
  afterEach(() => database.dispose());

  /** A server of this version, on a database as it is. */
  const openServer = async () => {
    const store = await database.open();
    await store.becomeServer();
    return store;
  };

  it('leaves the schema as it is until this process is the server, and then prepares it', async () => {
    database = await createTestDatabase(kind, { empty: true });
    const [server, beside] = [await database.open(), await database.open()];
    for (const store of [server, beside]) {
      expect(store.dialect).toBe(kind);
      expect((await store.schema()).applied).toEqual([]);
      expect(await store.db.introspection.getTables({ withInternalKyselyTables: true })).toEqual([]);
    }
    const { pending } = await beside.schema();
    await server.becomeServer();
    for (const store of [server, beside]) {
      expect(await store.schema()).toMatchObject({ applied: pending, pending: [] });
      const plans = await store.db
        .selectFrom('plans')
        .select(['name', 'messages_per_minute', 'instance_limit', 'trial_message_limit'])
        .execute();
      expect(plans.sort((a, b) => a.messages_per_minute - b.messages_per_minute)).toEqual([
        { name: 'trial', messages_per_minute: 30, instance_limit: 1, trial_message_limit: 100 },
        { name: 'starter', messages_per_minute: 60, instance_limit: 3, trial_message_limit: null },
        { name: 'business', messages_per_minute: 300, instance_limit: 25, trial_message_limit: null },
        { name: 'scale', messages_per_minute: 1200, instance_limit: 200, trial_message_limit: null },
      ]);
    }
  });

  it('is not brought up to date under a running server', async () => {
    database = await createTestDatabase(kind);
    const newer = await database.open({ changes: nextRelease(kind, { additive: false }) });
    const older = await lockedByAnother(kind, database.location);
    await expect(newer.migrate()).rejects.toThrow(/^another gateway server/);
    await expect(newer.becomeServer()).rejects.toThrow(/^another gateway server/);
    expect((await newer.schema()).pending).toEqual([nextChange]);
    await older.release();
    await newer.migrate();
    expect((await newer.schema()).pending).toEqual([]);
    await newer.becomeServer();
  });

  it('changes nothing the second time', async () => {
    database = await createTestDatabase(kind, { empty: true });
    const first = await openServer();
    await first.db.updateTable('plans').set({ instance_limit: 7 }).where('name', '=', 'scale').execute();
    await first.close();
    const second = await openServer();
    const plans = await second.db.selectFrom('plans').select(['name', 'instance_limit']).execute();
    expect(plans).toHaveLength(4);
    expect(plans).toContainEqual({ name: 'scale', instance_limit: 7 });
  });

  it('keeps the numbers through a change of the schema [upgrade.numbers]', async () => {
    database = await createTestDatabase(kind);
    const earlier = await database.open();
    await earlier.becomeServer();
    const { instanceId } = await seed(earlier);
    const before = await earlier.db.selectFrom('instances').selectAll().executeTakeFirstOrThrow();
    await earlier.close();
    const later = await database.open({ changes: nextRelease(kind, { additive: false }) });
    await later.becomeServer();
    expect(before).toMatchObject({ id: instanceId, linked: 1 });
    expect(await later.db.selectFrom('instances').selectAll().execute()).toEqual([{ ...before, next_column: 'unchanged' }]);
  });

  it('refuses what was made before the first schema, and leaves it as it is [start.fails]', async () => {
    database = await createTestDatabase(kind, { empty: true });
    await madeBefore(database);
    const line = /^the database was made before version 0\.1\.0; the last commit that can use it is [0-9a-f]{7}: [^\n]+$/;
    await expect(database.open()).rejects.toThrow(OperatorError);
    await expect(database.open()).rejects.toThrow(line);
    const there = await database.open({ changes: changesBefore });
    expect((await there.schema()).applied).toEqual(Object.keys(changesBefore));
  });

  it('works on what a newer version has only added to', async () => {
    database = await createTestDatabase(kind);
    await (await database.open({ changes: nextRelease(kind, { additive: true }) })).migrate();
    const store = await database.open();
    expect(await store.schema()).toMatchObject({ applied: expect.arrayContaining([nextChange]), pending: [] });
    await store.becomeServer();
    const account = await seed(store);
    expect(await store.hot.claim(account.claim({ keyed: keyed('a') }))).toMatchObject({ outcome: 'claimed' });
  });

  it('refuses what a newer version has changed otherwise [start.fails]', async () => {
    database = await createTestDatabase(kind);
    const newer = await database.open({ changes: nextRelease(kind, { additive: false }) });
    await newer.migrate();
    await newer.close();
    await expect(database.open()).rejects.toThrow(OperatorError);
    await expect(database.open()).rejects.toThrow(/newer version/);
  });

  it('keeps numbers, sums and bytes as they were', async () => {
    database = await createTestDatabase(kind);
    const { db } = await database.open();
    await db
      .insertInto('usage_sends')
      .values(['a', 'b'].map((account_id) => ({ account_id, day: 'd', type: 'text', count: 3 })))
      .execute();
    const sums = await db
      .selectFrom('usage_sends')
      .select(({ fn }) => [fn.countAll().as('rows'), fn.sum('count').as('sum')])
      .executeTakeFirstOrThrow();
    expect(sums).toEqual({ rows: 2, sum: 6 });
    const { created_at } = await db.selectFrom('providers').select('created_at').executeTakeFirstOrThrow();
    expect(Math.abs(created_at - Date.now())).toBeLessThan(3_600_000);
  });
});

/** The server's lock, held by somebody else. */
async function lockedByAnother(kind: StoreKind, location: string): Promise<{ release(): void | Promise<void> }> {
  if (kind === 'sqlite') return lockDataFolder(location);
  const lock = await lockDatabase(location, { lost: () => undefined });
  if (lock === null) throw new Error('the lock is taken');
  return lock;
}

describe('a database that cannot be used', () => {
  const refusal = async (open: Promise<unknown>) => {
    const error = await open.then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(OperatorError);
    return (error as OperatorError).message;
  };

  it('is named in one line without its password', async () => {
    const unreachable = await refusal(openPostgresStore('postgres://ada:s3cret@127.0.0.1:1/gateway'));
    expect(unreachable).toMatch(/^cannot use the PostgreSQL database 127\.0\.0\.1:1\/gateway: .*ECONNREFUSED.*; check DATABASE_URL/);
    for (const message of [unreachable, await refusal(openPostgresStore('no url s3cret'))]) expect(message).not.toMatch(/s3cret|\n/);
  });

  it.each(storeKinds.filter((kind) => kind === 'postgres'))(
    'is reported when %s refuses the password or has no such database',
    async (kind) => {
      const database = await createTestDatabase(kind);
      const wrong = new URL(database.location);
      wrong.password = 's3cret';
      const message = await refusal(openPostgresStore(wrong.href));
      expect(message).toContain('password authentication failed');
      expect(message).not.toMatch(/s3cret|\n/);
      const missing = new URL(database.location);
      missing.pathname = '/nowhere';
      expect(await refusal(openPostgresStore(missing.href))).toContain('database "nowhere" does not exist');
      await database.dispose();
    },
  );

  it('is reported for a data folder that is a file', async () => {
    expect(await refusal(openSqliteStore('/dev/null/data', { durability: 'full', create: true }))).toContain(
      'cannot use the data folder /dev/null/data',
    );
  });

  it('is reported for a data folder that is a file, beside PostgreSQL too', async () => {
    const lock = async () => lockDataFolder('/dev/null/data');
    expect(await refusal(lock())).toContain('cannot use the data folder /dev/null/data');
  });
});
