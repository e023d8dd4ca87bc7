import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';
import { keyed, type Seeded, seed, start } from './seed.ts';

/** How long the store waits for another program's writing, in milliseconds. */
const patienceMs = 5000;

describe('another program that writes to the embedded database', () => {
  let database: TestDatabase;
  let store: Store;
  let account: Seeded;
  let other: Sqlite.Database;
  beforeEach(async () => {
    database = await createTestDatabase('sqlite');
    store = await database.open();
    account = await seed(store);
    other = new Sqlite(join(database.location, 'gateway.db'));
    other.exec('begin immediate');
  });
  afterEach(async () => {
    other.close();
    await database.dispose();
  });

  it('keeps nobody from reading, on either connection, and what is to be written waits until it has ended', async () => {
    const ended: string[] = [];
    const note = (name: string, work: Promise<unknown>) =>
      work.then(
        () => ended.push(name),
        (error) => ended.push(`${name} failed: ${error}`),
      );
    const writes = [
      note('claim', store.hot.claim(account.claim({ keyed: keyed('a') }))),
      note('settle', store.hot.settle(account.settle())),
      note(
        'transaction',
        store.transaction(async (trx) => {
          await trx.updateTable('accounts').set({ name: 'Bea' }).execute();
        }),
      ),
      note('statement', store.db.updateTable('plans').set({ instance_limit: 9 }).execute()),
    ];
    expect(await store.hot.admit({ keyHash: account.keyHash, now: start })).toMatchObject({ keyId: account.keyId });
    expect(await store.db.selectFrom('accounts').select('name').execute()).not.toContainEqual({ name: 'Bea' });
    // Whoever is about to send something waits too.
    writes.push(note('ready', store.hot.ready() ?? Promise.resolve()));
    expect(ended).toEqual([]);
    other.exec('commit');
    await Promise.all(writes);
    expect(ended.sort()).toEqual(['claim', 'ready', 'settle', 'statement', 'transaction']);
    await store.hot.ready();
    expect(store.writability.trouble).toBeNull();
    expect(await store.db.selectFrom('accounts').select('name').execute()).toContainEqual({ name: 'Bea' });
  });

  it('fails what has waited five seconds, but not what has happened already and can only be noted', async () => {
    const began = performance.now();
    const settled = store.hot.settle(account.settle());
    const transaction = () => store.transaction((trx) => trx.updateTable('plans').set({ instance_limit: 9 }).execute());
    const refused = await Promise.allSettled([
      store.hot.claim(account.claim({ keyed: keyed('a') })),
      store.db.updateTable('plans').set({ instance_limit: 9 }).execute(),
      ...[transaction(), transaction(), transaction()],
    ]);
    const tookMs = performance.now() - began;
    expect(tookMs).toBeGreaterThan(patienceMs);
    // A transaction does not wait for as long again behind each one before it.
    expect(tookMs).toBeLessThan(2 * patienceMs);
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
      expect(String((outcome as PromiseRejectedResult).reason)).toContain('another program has been writing to');
    }
    expect(store.writability.trouble).toBeInstanceOf(StoreUnavailable);
    await expect(store.hot.ready()).rejects.toThrow(StoreUnavailable);
    other.exec('commit');
    await settled;
    expect(await store.hot.claim(account.claim({ keyed: keyed('a') }))).toMatchObject({ outcome: 'claimed', retaken: false });
    expect(await store.db.selectFrom('usage_sends').select('count').execute()).toEqual([{ count: 1 }]);
  });

  it('does not hurt calls of the same tick when one of them fails by its own data', async () => {
    other.exec('commit');
    const settle = (reservation: string | null) => store.hot.settle({ ...account.settle(), reservation });
    const outcomes = await Promise.allSettled([
      settle(null),
      store.hot.keep({ instanceId: 'no such instance', lease: null, records: new Map([['x', Buffer.of(1)]]) }),
      settle(null),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await store.db.selectFrom('usage_sends').select('count').execute()).toEqual([{ count: 2 }]);
  });
});
