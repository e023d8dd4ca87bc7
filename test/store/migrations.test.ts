import type { Kysely } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { updateAccount } from '../../src/accounts/index.ts';
import { listAudit } from '../../src/audit/index.ts';
import { newId, OperatorError } from '../../src/core/index.ts';
import { selectRequest } from '../../src/requests/queries.ts';
import { schemaChanges } from '../../src/store/index.ts';
import { initial } from '../../src/store/migrations/0001-initial.ts';
import { builtInPlans } from '../../src/store/migrations/0002-built-in-plans.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { lockDatabase } from '../../src/store/postgres/server-lock.ts';
import { lockDataFolder } from '../../src/store/sqlite/server-lock.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { at } from '../support/act.ts';
import { createTestDatabase, type StoreKind, storeKinds, type TestDatabase } from '../support/stores.ts';
import { leftBehind } from './left-behind.ts';
import { nextChange, nextRelease } from './next-release.ts';
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
    database = await createTestDatabase(kind, { empty: true });
    await leftBehind(kind, database.location, { '0001-initial': initial(kind) }, async () => undefined);
    const newer = await database.open();
    expect((await newer.schema()).applied).toEqual(['0001-initial']);
    const older = await lockedByAnother(kind, database.location);
    await expect(newer.migrate()).rejects.toThrow(/^another gateway server/);
    await expect(newer.becomeServer()).rejects.toThrow(/^another gateway server/);
    expect((await newer.schema()).applied).toEqual(['0001-initial']);
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

  it('takes the numbers of a version over that knew of no restrictions [upgrade.numbers]', async () => {
    database = await createTestDatabase(kind, { empty: true });
    const account = { id: newId(), name: 'a', provider_id: 'default', status: 'active', operator: 0, created_at: 1 } as const;
    const desk = {
      id: newId(),
      account_id: account.id,
      network: 'sandbox',
      label: 'Desk',
      phone_number: '491710000001',
      linked: 1,
      conflict: 0,
      created_at: 1,
    };
    await leftBehind(kind, database.location, { '0001-initial': initial(kind), '0002-built-in-plans': builtInPlans }, async (db) => {
      await db.insertInto('accounts').values(account).execute();
      await db.insertInto('instances').values(desk).execute();
    });
    const after = await openServer();
    expect(await after.db.selectFrom('instances').selectAll().execute()).toEqual([
      {
        ...desk,
        ...{ restriction_reason: null, restriction_until: null, proxy: null },
        ...{ new_chats_used: null, new_chats_quota: null, new_chats_cycle_ends_at: null },
        ...{ chat_budget: null, chat_budget_day: null, chat_budget_used: 0, linked_at: null },
      },
    ]);
    await updateAccount(after, account.id, { name: 'b' }, at(2));
    expect(await listAudit(after, { limit: 10 })).toMatchObject([{ action: 'account.update', account_name: 'b' }]);
  });

  it('reads the requests that an earlier version has logged', async () => {
    database = await createTestDatabase(kind, { empty: true });
    const ids = [newId(), newId(), newId()].sort();
    const [failed = '', sent = '', plain = ''] = ids;
    const rows = [
      [
        failed,
        5,
        1.5,
        'a',
        'k',
        'POST',
        '/v1/messages/text',
        404,
        'instance_not_found',
        'i',
        'text',
        null,
        '4917',
        null,
        [400, 250, 9, null, null, null],
      ],
      [sent, 6, 2.5, 'a', 'k', 'POST', '/v1/messages/text', 200, null, 'i', 'text', 'M', '4917', 'new', [400, 250, 9, null, 7, 1500]],
      [plain, 7, 0.5, 'a', 'k', 'GET', '/v1/instances', 200],
    ];
    const segment = { account_id: 'a', first_request_id: failed, last_request_id: plain, at: 7, records: JSON.stringify(rows) };
    const before = { '0001-initial': initial(kind), '0002-built-in-plans': builtInPlans };
    await leftBehind(kind, database.location, before, async (db) => {
      await (db as unknown as Kysely<{ request_log: typeof segment }>).insertInto('request_log').values(segment).execute();
    });
    const { db } = await openServer();
    const common = { account_id: 'a', key_id: 'k', method: 'POST', path: '/v1/messages/text', instance_id: 'i', message_type: 'text' };
    expect(await selectRequest(db, failed)).toEqual({
      ...common,
      person_id: null,
      person_email: null,
      request_id: failed,
      at: 5,
      duration_ms: 1.5,
      status: 404,
      code: 'instance_not_found',
      error_message: null,
      message_id: null,
      recipient: '4917',
      media_host: null,
      idempotency: null,
      stages: { admission: 0.4, validation: 0.25, claim: 0.009, media: null, network: null, settle: null },
    });
    expect(await selectRequest(db, sent)).toMatchObject({
      ...common,
      status: 200,
      message_id: 'M',
      idempotency: 'new',
      stages: { settle: 1.5 },
    });
    expect(await selectRequest(db, plain)).toMatchObject({
      method: 'GET',
      path: '/v1/instances',
      code: null,
      message_type: null,
      stages: null,
    });
  });

  it('reads the request log that an earlier version kept as JSON, and counts what it had not counted yet', async () => {
    database = await createTestDatabase(kind, { empty: true });
    const hour = 480_000;
    const ids = Array.from({ length: 1203 }, newId).sort();
    const send = ['a', 'k', 'POST', '/v1/messages/text', 200, null, 'i', 'text', null];
    const failed = [
      'a',
      'k',
      'POST',
      '/v1/messages/image',
      422,
      'media_fetch_failed',
      'i',
      'image',
      'new',
      'p',
      'a@example.com',
      'x\0\ud83d',
      'h',
    ];
    const row = (place: number, ...more: unknown[]) => [ids[place], hour * 3_600_000 + place, 1.25, ...more];
    const segments = [
      [[send, [row(0, 'M0', '4917', 400, 250, 9, null, 7, 1500), row(1, 'M1', '4917')]]],
      [
        [[null, null, 'GET', '/x', 401, 'missing_api_key', null, null, null], [row(2)]],
        [failed, [row(3, null, '4918')]],
      ],
      [[send, ids.slice(4).map((_, place) => row(place + 4, `M${place + 4}`, '4919'))]],
    ];
    const before = Object.fromEntries(Object.entries(schemaChanges(kind)).filter(([name]) => name < '0037'));
    await leftBehind(kind, database.location, before, async (db) => {
      const log = db as unknown as Kysely<{ request_log: object; meta: object; send_outcomes: object }>;
      const common = { account_id: 'a', first_request_id: ids[0], last_request_id: ids.at(-1), at: 7 };
      for (const records of segments)
        await log
          .insertInto('request_log')
          .values({ ...common, records: JSON.stringify(records) })
          .execute();
      await log.insertInto('meta').values({ name: 'request_names_to', value: '1' }).execute();
      await log.insertInto('send_outcomes').values({ hour, account_id: 'a', code: '', count: 2 }).execute();
    });
    const { db } = await openServer();
    const rows = await db.selectFrom('requests').select(['request_id', 'message_id']).orderBy('id').execute();
    expect(rows).toEqual(ids.map((request_id, place) => ({ request_id, message_id: place === 2 || place === 3 ? null : `M${place}` })));
    expect(await selectRequest(db, ids[0] ?? '')).toMatchObject({
      ...{ account_id: 'a', key_id: 'k', status: 200, code: null, message_id: 'M0', recipient: '4917', duration_ms: 1.25 },
      stages: { admission: 0.4, validation: 0.25, claim: 0.009, media: null, network: 0.007, settle: 1.5 },
    });
    expect(await selectRequest(db, ids[1] ?? '')).toMatchObject({ message_id: 'M1', stages: null, person_id: null });
    expect(await selectRequest(db, ids[2] ?? '')).toMatchObject({ account_id: null, path: '/x', message_type: null });
    expect(await selectRequest(db, ids[3] ?? '')).toMatchObject({
      ...{ person_id: 'p', person_email: 'a@example.com', error_message: 'x\ufffd', media_host: 'h', idempotency: 'new' },
    });
    expect(await db.selectFrom('send_outcomes').selectAll().orderBy('code').execute()).toEqual([
      { hour, account_id: 'a', code: '', count: 1201 },
      { hour, account_id: 'a', code: 'media_fetch_failed', count: 1 },
    ]);
  });

  it('replays what an earlier version has sent', async () => {
    database = await createTestDatabase(kind, { empty: true });
    const accountId = newId();
    const now = Date.now();
    const row = (key: string, state: string, result: object | null) => ({
      account_id: accountId,
      key,
      fingerprint: 'print',
      message_id: `message of ${key}`,
      state,
      result: result === null ? null : JSON.stringify(result),
      owner: 'one that is gone',
      created_at: now - 1,
    });
    const before = { '0001-initial': initial(kind), '0002-built-in-plans': builtInPlans };
    await leftBehind(kind, database.location, before, async (db) => {
      const rows = [
        row('told', 'accepted', { message_id: 'message of told', provider_status: 'SERVER_ACK', note: '"provider_status":"x"' }),
        row('untold', 'accepted', { message_id: 'message of untold', provider_status: null }),
        row('lost', 'unknown', null),
      ];
      await db
        .insertInto('claims')
        .values(rows as never)
        .execute();
    });
    const { hot } = await openServer();
    const claim = (key: string) =>
      hot.claim({
        accountId,
        instanceId: newId(),
        linked: true,
        lease: null,
        keyed: { key, fingerprint: 'print', messageId: 'another' },
        trialLimit: null,
        requestId: newId(),
        now,
        dated: now,
      });
    expect(await claim('told')).toEqual({ outcome: 'replay', messageId: 'message of told', providerStatus: 'SERVER_ACK' });
    expect(await claim('untold')).toEqual({ outcome: 'replay', messageId: 'message of untold', providerStatus: null });
    expect(await claim('lost')).toEqual({ outcome: 'instance_not_found' });
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
});
