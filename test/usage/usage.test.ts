import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../src/accounts/index.ts';
import { newId, OperatorError } from '../../src/core/index.ts';
import type { Store } from '../../src/store/index.ts';
import { usage } from '../../src/usage/index.ts';
import { at } from '../support/act.ts';
import { createTestDatabase, openTestStore, storeKinds } from '../support/stores.ts';

const now = Date.UTC(2026, 5, 1);

describe.each(storeKinds)('usage on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let account: string;
  beforeEach(async () => {
    store = await openTestStore(kind);
    account = (await createAccount(store, { name: 'a', plan: 'starter' }, at(now))).id;
  });
  afterEach(() => store.dispose());

  const send = (type: string, day: string, accountId = account) =>
    store.hot.settle({ requestId: newId(), at: 0, accountId, type, day, keyed: null, reservation: null });

  test('tells accepted sends by type and number-days, without gaps', async () => {
    const other = (await createAccount(store, { name: 'b' }, at(now))).id;
    await Promise.all([send('text', '2026-06-01'), send('text', '2026-06-01'), send('image', '2026-06-01'), send('text', '2026-06-03')]);
    await Promise.all([send('text', '2026-05-31'), send('text', '2026-06-04'), send('poll', '2026-06-02', other)]);
    for (const phoneNumber of ['491', '491', '492']) await store.hot.seeNumber({ accountId: account, phoneNumber, day: '2026-06-01' });
    await store.hot.seeNumber({ accountId: account, phoneNumber: '491', day: '2026-06-02' });
    await store.hot.seeNumber({ accountId: other, phoneNumber: '493', day: '2026-06-02' });
    expect(await usage(store, account, '2026-06-01', '2026-06-03')).toEqual([
      { day: '2026-06-01', sends: 3, byType: { image: 1, text: 2 }, numberDays: 2 },
      { day: '2026-06-02', sends: 0, byType: {}, numberDays: 1 },
      { day: '2026-06-03', sends: 1, byType: { text: 1 }, numberDays: 0 },
    ]);
  });

  test('a number counts once a day, also when noted at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => store.hot.seeNumber({ accountId: account, phoneNumber: '491', day: '2026-06-01' })));
    expect(await usage(store, account, '2026-06-01', '2026-06-01')).toEqual([{ day: '2026-06-01', sends: 0, byType: {}, numberDays: 1 }]);
  });

  test('refuses an unknown account and a period that is none', async () => {
    await expect(usage(store, 'nope', '2026-06-01', '2026-06-01')).rejects.toThrow(new OperatorError('there is no account "nope"'));
    await expect(usage(store, account, '2026-06-02', '2026-06-01')).rejects.toThrow(/before it begins/);
    await expect(usage(store, account, '1026-06-02', '2026-06-01')).rejects.toThrow(/at most 3660/);
  });
});

test('a number that is counted for the day already is not written again by the next process of the embedded store', async () => {
  const database = await createTestDatabase('sqlite');
  const before = await database.open();
  const accountId = (await createAccount(before, { name: 'a' }, at(now))).id;
  const see = ({ hot }: Store, phoneNumber: string) => hot.seeNumber({ accountId, phoneNumber, day: '2026-06-01' });
  for (const phoneNumber of ['491', '492']) await see(before, phoneNumber);
  const writes: number[] = [];
  const store = await database.open({ onBatch: (calls) => void writes.push(calls) });
  for (const phoneNumber of ['491', '492']) await see(store, phoneNumber);
  expect(writes).toEqual([]);
  await see(store, '493');
  expect(writes).toEqual([1]);
  expect(await usage(store, accountId, '2026-06-01', '2026-06-01')).toMatchObject([{ numberDays: 3 }]);
  await database.dispose();
});
