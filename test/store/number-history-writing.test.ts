import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId, StoreUnavailable } from '../../src/core/index.ts';
import { type NumberEvent, NumberHistory } from '../../src/sessions/history/number-history.ts';
import { historyRows } from '../../src/sessions/history/queries.ts';
import type { Lease, Store } from '../../src/store/index.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';

const minuteMs = 60_000;
const quiet = { warn: vi.fn(), error: vi.fn() };

describe.each(storeKinds)('what is written of many numbers on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  let clock: ManualClock;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
    store = await database.open();
    clock = createManualClock();
  });
  afterEach(async () => {
    await store.close();
    await database.dispose();
  });
  const start = (over: Store = store, stored: (numbers: readonly { id: string }[]) => void = () => undefined) =>
    new NumberHistory({ store: over, clock, stopwatch: clock, log: quiet, stored });
  const number = (id = newId(), lease: Lease | null = null) => ({ id, accountId: 'account', lease });
  const rows = () => store.db.selectFrom('number_history').selectAll().orderBy('at').execute();
  /** The same store with its transactions counted. */
  const counted = () => {
    const count = { transactions: 0 };
    const transaction: Store['transaction'] = (work) => {
      count.transactions++;
      return store.transaction(work);
    };
    return { count, over: { ...store, transaction } as Store };
  };
  const lost: NumberEvent = { event: 'lost', detail: 'lost', until: null };

  it('a restart of 1,000 numbers writes nothing, and a thousand lost at once a handful of times', async () => {
    const { count, over } = counted();
    const history = start(over);
    const all = Array.from({ length: 1000 }, () => number());
    for (const one of all) history.add(one, { event: 'starting' });
    clock.advance(1000);
    for (const one of all) history.add(one, { event: 'back' });
    await history.flush();
    expect(count.transactions).toBe(0);
    for (const one of all) history.add(one, lost);
    await history.flush();
    expect(count.transactions).toBeLessThanOrEqual(10);
    expect(await rows()).toHaveLength(1000);
    await history.stop();
  });

  it('what comes in the same moment is read in its order', async () => {
    const history = start();
    const all = Array.from({ length: 50 }, () => number());
    const actor = { kind: 'user', id: newId(), name: 'owner@example.com' } as const;
    for (const one of all) {
      history.add(one, { event: 'linked', actor });
      history.add(one, lost);
      history.add(one, { event: 'unlinked' });
    }
    await history.stop();
    const found = await Promise.all(all.map(({ id }) => historyRows(store.db, id, 10)));
    for (const one of found) expect(one.map(({ event }) => event)).toEqual(['unlinked', 'lost', 'linked']);
  });

  it('a loss never ends before it began', async () => {
    const history = start();
    const one = number();
    history.add(one, { event: 'linked', actor: { kind: 'user', id: newId(), name: 'owner@example.com' } });
    history.add(one, lost);
    history.add(one, { event: 'back' });
    await history.stop();
    const [loss] = await historyRows(store.db, one.id, 10);
    expect(loss).toMatchObject({ event: 'lost', ended_at: loss?.at });
  });

  it('a number that never rests has a bounded number of lines', async () => {
    const history = start();
    const one = number();
    for (let round = 0; round < 200; round++) {
      clock.advance(1000);
      const actor = { kind: 'user', id: newId(), name: `${round}@example.com` } as const;
      for (const event of ['linked', 'disconnected'] as const) history.add(one, { event, actor });
      history.add(one, { event: 'pairing_failed', detail: 'passkey', note: `reason ${round}` });
      history.add(one, lost);
      history.add(one, { event: 'back' });
      if (round % 10 === 0) await history.flush();
    }
    await history.stop();
    const found = await rows();
    expect(found.length).toBeLessThanOrEqual(31);
    expect(found.filter(({ event }) => event === 'lost')).toMatchObject([{ count: 200 }]);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(800);
  });

  it.each([
    ['the store is away', () => new StoreUnavailable('away')],
    ['the store refuses it', () => new Error('deadlock detected')],
  ])('waits while %s, and writes then what has happened, once', async (_, failure) => {
    let away = true;
    const over = {
      ...store,
      transaction: async (work) => {
        // The answer is lost: what was written is written again.
        const result = await store.transaction(work);
        if (away) throw failure();
        return result;
      },
    } as Store;
    const history = start(over);
    const one = number();
    history.add(one, lost);
    await history.flush();
    clock.advance(minuteMs);
    history.add(one, { event: 'back' });
    away = false;
    await history.flush();
    expect(await rows()).toMatchObject([{ event: 'lost', ended_at: clock.now(), count: 1 }]);
    await history.stop();
  });

  it('says of which numbers when their rows can be read, however long they take to be written', async () => {
    const held = Promise.withResolvers<void>();
    const over = { ...store, transaction: (work) => held.promise.then(() => store.transaction(work)) } as Store;
    const told: { id: string; written: Promise<unknown[]> }[] = [];
    const history = start(over, (numbers) => {
      for (const { id } of numbers) told.push({ id, written: historyRows(store.db, id, 10) });
    });
    const both = [number(), number()];
    for (const one of both) history.add(one, { event: 'unlinked' });
    const flushed = history.flush();
    await store.db.selectFrom('number_history').selectAll().execute();
    expect(told).toEqual([]);
    held.resolve();
    await flushed;
    expect(told.map(({ id }) => id).toSorted()).toEqual(both.map(({ id }) => id).toSorted());
    for (const { written } of told) expect(await written).toMatchObject([{ event: 'unlinked' }]);
    await history.stop();
  });

  // The embedded store has one server only.
  it.each([kind].filter((one) => one === 'postgres'))('a server that no longer owns the number writes nothing of it (%s)', async () => {
    const mine = number(newId(), { nodeId: 'gone', epoch: 1 });
    const theirs = number(newId(), { nodeId: 'node', epoch: 4 });
    const account = { id: 'account', name: 'a', provider_id: 'default', status: 'active', operator: 0, created_at: 0 } as const;
    await store.db.insertInto('accounts').values(account).execute();
    for (const { id } of [mine, theirs]) {
      const row = { id, account_id: 'account', network: 'sandbox', linked: 1, conflict: 0, created_at: 0 };
      await store.db.insertInto('instances').values(row).execute();
      await store.db.deleteFrom('leases').where('instance_id', '=', id).execute();
    }
    await store.db.insertInto('nodes').values({ id: 'node', name: 'n', started_at: 0, expires_at: 0, draining: 0 }).execute();
    for (const { id } of [mine, theirs])
      await store.db.insertInto('leases').values({ instance_id: id, node_id: 'node', epoch: 4 }).execute();
    const history = start();
    for (const one of [mine, theirs]) history.add(one, { event: 'parked' });
    await history.stop();
    expect(await rows()).toMatchObject([{ instance_id: theirs.id, event: 'parked' }]);
  });
});
