import { sql } from 'kysely';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { newId, StoreUnavailable } from '../../src/core/index.ts';
import { createTestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { keyed, said, seed } from './seed.ts';

const blocked = sql<{
  n: number;
}>`select count(*)::integer as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;

it('PostgreSQL: session keys are kept while claims and settlements wait for locks, and these end when they are free', async () => {
  const database = await createTestDatabase('postgres');
  const store = await database.open();
  const account = await seed(store);
  const other = new pg.Client({ connectionString: database.location });
  await other.connect();
  try {
    await other.query('begin');
    await other.query('lock table claims, usage_sends, trial_reservations in share row exclusive mode');
    // More of each kind than there are connections, a tick apart, so that they are batches of their own.
    const waiting: Promise<unknown>[] = [];
    for (let i = 0; i < 5; i++) {
      waiting.push(
        store.hot.claim(account.claim({ keyed: keyed(`plain ${i}`) })),
        store.hot.claim(account.claim({ keyed: keyed(`looking ${i}`), linked: i % 2 === 0 })),
        store.hot.claim(account.claim({ keyed: keyed(`trial ${i}`), trialLimit: 100 })),
        store.hot.settle(account.settle()),
        store.hot.settle(account.settle({ keyed: said(`plain ${i}`) })),
        store.hot.release({ requestId: newId(), accountId: account.accountId, key: `gone ${i}`, handedOver: false, reservation: null }),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    // As many as all of this work once had connections for.
    await waitFor(async () => expect((await blocked.execute(store.db)).rows[0]?.n).toBeGreaterThanOrEqual(5), { timeout: 4_000 });
    for (let i = 0; i < 3; i++) {
      await store.hot.keep({ instanceId: account.instanceId, lease: null, records: new Map([['session', Buffer.from(`${i}`)]]) });
    }
    // Nothing that was waiting has got through meanwhile.
    expect(await Promise.race([Promise.any(waiting), 'still waiting'])).toBe('still waiting');
    await other.query('rollback');
    expect((await Promise.allSettled(waiting)).filter(({ status }) => status === 'rejected')).toEqual([]);
  } finally {
    await other.end();
    await database.dispose();
  }
});

it('PostgreSQL: a statement that takes too long fails alone, and so does one for which no connection becomes free: sends go on', async () => {
  const log = { error: vi.fn(), info: vi.fn() };
  const database = await createTestDatabase('postgres');
  const store = await database.open({ log });
  const account = await seed(store);
  const other = new pg.Client({ connectionString: database.location });
  await other.connect();
  try {
    const slow = () =>
      store.transaction(async (trx) => {
        await sql`set local statement_timeout = 50`.execute(trx);
        await sql`select pg_sleep(10)`.execute(trx);
      });
    await expect(slow()).rejects.toThrow(StoreUnavailable);
    expect(store.writability.trouble).toBeNull();
    expect(log.error).toHaveBeenLastCalledWith({}, expect.stringContaining('statement timeout'));
    await expect(slow()).rejects.toThrow(StoreUnavailable);
    expect(log.error).toHaveBeenCalledOnce();
    // As many as there are connections.
    await other.query('select pg_advisory_lock(1)');
    let begun = 0;
    const holding = Array.from({ length: 10 }, () =>
      store.transaction(async (trx) => {
        begun++;
        await sql`select pg_advisory_xact_lock_shared(1)`.execute(trx);
      }),
    );
    await waitFor(() => expect(begun).toBe(10));
    await expect(store.db.selectFrom('plans').selectAll().execute()).rejects.toThrow(StoreUnavailable);
    expect(store.writability.trouble).toBeNull();
    expect(log.error).toHaveBeenCalledTimes(2);
    await store.hot.ready();
    expect(await store.hot.claim(account.claim())).toMatchObject({ outcome: 'claimed' });
    await other.query('select pg_advisory_unlock(1)');
    await Promise.all(holding);
  } finally {
    await other.end();
    await database.dispose();
  }
});
