import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addInstanceIn, createAccount, lockAccount } from '../../src/accounts/index.ts';
import { createVault, newId } from '../../src/core/index.ts';
import { placeNumber, tryPlaces } from '../../src/import/place.ts';
import { type ImportedNumber, pairOf } from '../../src/networks/whatsapp/imported-number.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { createTestDatabase, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const act = at(Date.UTC(2026, 5, 1));
const vault = createVault(Buffer.alloc(32, 7));
const pair = () => pairOf(randomBytes(32));

const imported = (phoneNumber: string): ImportedNumber => ({
  ...{ jid: `${phoneNumber}:4@s.whatsapp.net`, lid: null, name: null, platform: null, registrationId: 7 },
  ...{ noiseKey: pair(), identityKey: pair(), advSecret: randomBytes(32) },
  signedPreKey: { keyPair: pair(), keyId: 1, signature: randomBytes(64) },
  account: {
    ...{ details: Buffer.of(8, 1), accountSignatureKey: randomBytes(32), accountSignature: randomBytes(64) },
    deviceSignature: randomBytes(64),
  },
  ...{ nextPreKeyId: 1, firstUnuploadedPreKeyId: 1, preKeys: new Map(), appStateKeyId: null },
  ...{ migrated: null, nctSalt: null, records: new Map() },
});

// Transactions run side by side on PostgreSQL only.
describe('places of imported numbers, on PostgreSQL', () => {
  let database: TestDatabase;
  let store: Store;
  let other: Store;
  /** Two accounts of one provider, in the order of their ids. */
  let accounts: readonly [string, string];
  beforeEach(async () => {
    database = await createTestDatabase('postgres');
    store = await database.open();
    other = await database.open();
    const ids: string[] = [];
    for (const name of ['a', 'b']) ids.push((await createAccount(store, { name, plan: 'scale' }, act)).id);
    const [first = '', second = ''] = ids.sort();
    accounts = [first, second];
  });
  afterEach(() => database.dispose());

  /** How many transactions wait for a lock. */
  const waiting = async () => {
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db);
    return rows.length;
  };

  it.each([
    ['the same account', 0],
    ['two accounts', 1],
  ] as const)('one number that two servers import at once is linked once: to %s', async (_, second) => {
    const number = imported('4915110000601');
    const place = (into: Store, accountId: string) => placeNumber(into, vault, number, { accountId, label: null }, act);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: locked, resolve: hasLocked } = Promise.withResolvers<void>();
    const blocking = store.transaction(async (trx) => {
      await lockAccount(trx, 'postgres', accounts[0]);
      hasLocked();
      await released;
    });
    await locked;
    const one = place(store, accounts[0]);
    await waitFor(async () => expect(await waiting()).toBe(1));
    let done = false;
    const two = place(other, accounts[second]).finally(() => {
      done = true;
    });
    await waitFor(async () => expect(done || (await waiting()) === 2).toBe(true));
    release();
    await blocking;
    const placed = [await one, await two];
    expect(placed.filter(({ problem }) => problem === null)).toHaveLength(1);
    expect(placed.find(({ problem }) => problem !== null)?.problem).toContain('is already linked here');
  });

  it('are tried without a deadlock with a number that is added meanwhile', async () => {
    let runs = 0;
    const counting = (of: Store): Store => ({
      ...of,
      transaction: (work) =>
        of.transaction((trx) => {
          runs++;
          return work(trx);
        }),
    });
    const [first, second] = accounts;
    const planned = [first, second].map((accountId, index) => ({ accountId, label: null, phoneNumber: `491511000061${index}` }));
    const trying: Promise<(string | null)[]>[] = [];
    await counting(store).transaction(async (trx) => {
      await lockAccount(trx, 'postgres', second);
      if (trying.length === 0) trying.push(tryPlaces(counting(other), planned, act));
      await waitFor(async () => expect(await waiting()).toBe(1));
      await addInstanceIn(trx, 'postgres', { accountId: second, id: newId(), network: 'sandbox', label: null }, act);
    });
    expect(await Promise.all(trying)).toEqual([[null, null]]);
    expect(runs).toBe(2);
  });

  it('are tried once more after a deadlock, with one answer for each', async () => {
    const again: Store = {
      ...store,
      async transaction(work) {
        await store.transaction(work).catch(() => undefined);
        return store.transaction(work);
      },
    };
    const planned = ['4915110000621', '4915110000621'].map((phoneNumber) => ({ accountId: accounts[0], label: null, phoneNumber }));
    await store.db.updateTable('accounts').set({ instance_limit: 1 }).where('id', '=', accounts[0]).execute();
    expect(await tryPlaces(again, planned, act)).toEqual([null, expect.stringContaining('has no place')]);
  });
});
