import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccount, createProvider, lockAccount } from '../../src/accounts/index.ts';
import { createVault } from '../../src/core/index.ts';
import { type Archive, importNumbers, openBaileys } from '../../src/import/index.ts';
import { placeNumber, tryPlaces } from '../../src/import/place.ts';
import { type ImportedNumber, pairOf } from '../../src/networks/whatsapp/imported-number.ts';
import type { Store } from '../../src/store/index.ts';
import { at } from '../support/act.ts';
import { credsJson } from '../support/baileys-creds.ts';
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
      // The holder waits longer than the gateway may on a slow machine.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await lockAccount(trx, accounts[0]);
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

  it('are tried without waiting for a transaction', async () => {
    const planned = accounts.map((accountId, index) => ({ accountId, phoneNumber: `491511000061${index}` }));
    await store.transaction(async (trx) => {
      await lockAccount(trx, accounts[0]);
      expect(await tryPlaces(other, planned)).toEqual([null, null]);
    });
  });
});

describe.each(['sqlite', 'postgres'] as const)('numbers of an import, on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
    store = await database.open();
  });
  afterEach(() => database.dispose());

  const create = async (account: Parameters<typeof createAccount>[1]) => (await createAccount(store, account, act)).id;
  const place = async ({ accountId, phoneNumber }: { accountId: string; phoneNumber: string }) =>
    (await placeNumber(store, vault, imported(phoneNumber), { accountId, label: null }, act)).problem;

  it('have, when tried, the problems that they would be placed with, one after the other, and nothing is written', async () => {
    const { id: providerId } = await createProvider(store, { name: 'Reseller', numberCapacity: 3 }, act);
    const small = await create({ name: 'small', providerId, plan: 'scale', instanceLimit: 2 });
    const large = await create({ name: 'large', providerId, plan: 'scale' });
    const own = await create({ name: 'own', operator: true, freeSlots: 1 });
    const none = await create({ name: 'none' });
    expect(await place({ accountId: large, phoneNumber: '4915110000630' })).toBeNull();
    const planned = [
      { accountId: small, phoneNumber: '4915110000631' },
      { accountId: small, phoneNumber: '4915110000630' },
      { accountId: small, phoneNumber: '4915110000632' },
      { accountId: small, phoneNumber: '4915110000633' },
      { accountId: large, phoneNumber: '4915110000634' },
      { accountId: own, phoneNumber: '4915110000635' },
      { accountId: own, phoneNumber: '4915110000636' },
      { accountId: none, phoneNumber: '4915110000637' },
    ];
    const tried = await tryPlaces({ ...store, transaction: () => Promise.reject(new Error('something is written')) }, planned);
    expect(tried).toEqual([
      null,
      expect.stringMatching(`^is already linked here, as instance .* of account ${large}$`),
      null,
      'has no place: The account already has all 2 numbers it may have.',
      'has no place: The provider cannot activate another number now.',
      null,
      'has no place: All 1 free slots of the account are taken.',
      'has no place: The account already has all 0 numbers it may have.',
    ]);
    const placed: (string | null)[] = [];
    for (const number of planned) placed.push(await place(number));
    expect(placed).toEqual(tried);
  });

  it('are looked up in parts, and others have their turn in between', async () => {
    const accountId = await create({ name: 'many', plan: 'scale', instanceLimit: 1_100 });
    const planned = Array.from({ length: 1_200 }, (_, index) => ({ accountId, phoneNumber: String(4_915_110_001_000 + index) }));
    const [last] = planned.slice(-1);
    if (last !== undefined) await place(last);
    let turns = 0;
    let done = false;
    const turn = () => {
      turns++;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    const problems = await tryPlaces(store, planned);
    done = true;
    expect(turns).toBeGreaterThanOrEqual(4);
    expect(problems.filter((problem) => problem === null)).toHaveLength(1_099);
    expect(problems.at(1_099)).toContain('already has all 1100 numbers');
    expect(problems.at(-1)).toContain('is already linked here');
  });

  it('are looked up by an index', async () => {
    const asked: CompiledQuery[] = [];
    const db = store.db.withPlugin({
      transformQuery({ node, queryId }) {
        asked.push(store.db.getExecutor().compileQuery(node, queryId));
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const accountId = await create({ name: 'a', plan: 'scale' });
    expect(await tryPlaces({ ...store, db }, [{ accountId, phoneNumber: '4915110000640' }])).toEqual([null]);
    const query = asked.find(({ sql: text }) => text.includes('phone_number'));
    const plan = await store.transaction(async (trx) => {
      const explain = (how: string) => trx.executeQuery(CompiledQuery.raw(`${how} ${query?.sql}`, [...(query?.parameters ?? [])]));
      if (kind === 'sqlite') return explain('explain query plan');
      // A small table is read whole whatever its indexes are.
      await sql`set local enable_seqscan = off`.execute(trx);
      await sql`analyze instances`.execute(trx);
      return explain('explain');
    });
    expect(JSON.stringify(plan.rows)).toContain('instances_phone_number');
  });

  describe('of three folders', () => {
    let accountId: string;
    let folder: string;
    beforeEach(async () => {
      accountId = await create({ name: 'a', plan: 'scale' });
      folder = mkdtempSync(join(tmpdir(), 'gateway-import-'));
      for (const [index, name] of ['first', 'second', 'third'].entries()) {
        mkdirSync(join(folder, name));
        writeFileSync(join(folder, name, 'creds.json'), credsJson(`491511000065${index}`));
      }
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const importAll = (archive: Archive) => importNumbers({ store, vault }, archive, () => ({ accountId, label: null }), act);
    const linked = async () =>
      (await store.db.selectFrom('instances').select('phone_number').execute()).map(({ phone_number }) => phone_number);

    it('are placed no more once another program is connected', async () => {
      let asked = 0;
      // Asked at the start and before each number; before the second it is connected.
      const archive = { ...(await openBaileys(folder)), wasUsed: async () => ++asked >= 3 };
      const problem = 'was left out: another program has connected to the database';
      expect(await importAll(archive)).toMatchObject([
        { source: 'first', problem: null },
        { source: 'second', problem, instanceId: null },
        { source: 'third', problem, instanceId: null },
      ]);
      expect(await linked()).toEqual(['4915110000650']);
    });

    it.each([
      { reads: 4, placed: ['4915110000650'] },
      { reads: 3, placed: [] },
    ])('are named when it fails once one was taken, and it alone fails before: after $reads reads', async ({ reads, placed }) => {
      const archive = await openBaileys(folder);
      let read = 0;
      // Each is read for the plan, and once more when its turn comes.
      const failing: Archive = {
        ...archive,
        read: (source) => (++read > reads ? Promise.reject(new Error('no disk')) : archive.read(source)),
      };
      const done = importAll(failing);
      const again = 'run the import again, which leaves out what is linked';
      const problems = [`was not tried: no disk; ${again}`, `was not tried, because the import failed before; ${again}`];
      if (placed.length === 0) await expect(done).rejects.toThrow('no disk');
      else expect(await done).toMatchObject([{ problem: null }, ...problems.map((problem) => ({ problem, instanceId: null }))]);
      expect(await linked()).toEqual(placed);
    });

    it('are perhaps linked where the database was lost while one was placed, and what they are told of a failure is the caller’s', async () => {
      const archive = await openBaileys(folder);
      const lost: Store = {
        ...store,
        transaction: async (work) => {
          await store.transaction(work);
          throw new Error('the connection broke');
        },
      };
      const done = await importNumbers({ store: lost, vault, told: () => 'failed' }, archive, () => ({ accountId, label: null }), act);
      const again = 'run the import again, which leaves out what is linked';
      expect(done.map(({ problem }) => problem)).toEqual([
        `is perhaps linked here now: failed; ${again}`,
        `was not tried, because the import failed before; ${again}`,
        `was not tried, because the import failed before; ${again}`,
      ]);
      expect(await linked()).toEqual(['4915110000650']);
    });
  });
});
