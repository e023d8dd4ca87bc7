import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keepUsageSums, makeSums, numberDayDebt, usageOfAccounts } from '../../src/accounts/index.ts';
import { sumMonth } from '../../src/accounts/usage-sums/make.ts';
import { LastingTime } from '../../src/core/index.ts';
import { keepSumsForOneself, type Store, settleOnce, takeBackSum } from '../../src/store/index.ts';
import { type Seeded, seed } from '../store/seed.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { rounds } from '../support/run-options.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';

const dayMs = 24 * 60 * 60 * 1000;
const firstDay = Date.UTC(2025, 10, 20);
/** A day of the three months and more that everything here happens in. */
const day = fc.integer({ min: 0, max: 110 }).map((after) => new Date(firstDay + after * dayMs).toISOString().slice(0, 10));
const period = fc.tuple(day, day).map((days) => days.toSorted() as [string, string]);

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('send' as const, 'send owed' as const, 'number' as const, 'number owed' as const),
      account: fc.nat(1),
      day,
      what: fc.constantFrom('text', 'image'),
    }),
    fc.record({ do: fc.constant('sum' as const), through: day, beside: fc.array(day, { maxLength: 3 }) }),
    fc.record({ do: fc.constant('ask' as const), period }),
  ),
  { minLength: 8, maxLength: 40 },
);

describe.each(storeKinds)('usage by sums on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  let reached = '';
  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());
  beforeEach(async () => {
    await forget();
    for (const table of ['api_keys', 'instances', 'accounts'] as const) await store.db.deleteFrom(table).execute();
  });

  /** Nothing was ever used, and nothing summed. */
  async function forget(): Promise<void> {
    for (const table of ['usage_sums', 'usage_sends', 'usage_number_days'] as const) await store.db.deleteFrom(table).execute();
    await store.db.deleteFrom('meta').where('name', '=', 'usage_summed_to').execute();
    reached = '';
    store.hot.summed.reach(reached);
  }

  const send = (account: Seeded, of: string, type = 'text') => store.hot.settle(account.settle({ day: of, type }));
  const sendOwed = (account: Seeded, of: string, type = 'text') =>
    store.transaction((trx) => settleOnce(trx, kind, account.settle({ day: of, type })));
  const see = ({ accountId }: Seeded, of: string, phoneNumber: string) => store.hot.seeNumber({ accountId, day: of, phoneNumber });
  const seeOwed = ({ accountId }: Seeded, of: string, phoneNumber: string) =>
    store.transaction((trx) => numberDayDebt.pay(trx, JSON.stringify({ accountId, day: of, phoneNumber }), kind));
  /** As a keeper does: first it is known which days may be in a sum, then they are. */
  const sum = (through: string) => {
    reached = through > reached ? through : reached;
    store.hot.summed.reach(reached);
    return makeSums(store, through);
  };
  /** What the accounts used, by account and month. */
  const told = async (from: string, to: string) => {
    const list = await usageOfAccounts(store, { providerIds: null, from, to });
    return list.flatMap(({ account, months }) =>
      [...months].map(([month, { sends, byType, numberDays }]) => ({ account: account.id, month, sends, byType, numberDays })),
    );
  };
  /** The same out of every single row. */
  const counted = async (from: string, to: string) => {
    const months = new Map<string, { account: string; month: string; sends: number; byType: Record<string, number>; numberDays: number }>();
    const of = (account: string, dayOf: string) => {
      const month = dayOf.slice(0, 7);
      const known = months.get(account + month) ?? { account, month, sends: 0, byType: {}, numberDays: 0 };
      months.set(account + month, known);
      return known;
    };
    const within = ({ day: of }: { day: string }) => of >= from && of <= to;
    for (const row of (await store.db.selectFrom('usage_sends').selectAll().execute()).filter(within)) {
      const month = of(row.account_id, row.day);
      month.sends += row.count;
      month.byType[row.type] = (month.byType[row.type] ?? 0) + row.count;
    }
    for (const row of (await store.db.selectFrom('usage_number_days').selectAll().execute()).filter(within))
      of(row.account_id, row.day).numberDays++;
    const order = await store.db.selectFrom('accounts').select('id').orderBy('created_at').orderBy('id').execute();
    return order.flatMap(({ id }) =>
      [...months.values()].filter(({ account }) => account === id).sort((one, other) => (one.month < other.month ? -1 : 1)),
    );
  };
  const summed = async () =>
    (await store.db.selectFrom('usage_sums').select(['month', 'through']).orderBy('month').execute()).map(
      ({ month, through }) => `${month} ${through}`,
    );

  it('is what the days say, whatever is written before, while and after they are made', async () => {
    const accounts = [await seed(store), await seed(store)] as const;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await forget();
        for (const [i, step] of sequence.entries()) {
          if (step.do === 'sum')
            await Promise.all([sum(step.through), ...step.beside.flatMap((of) => accounts.map((account) => send(account, of)))]);
          else if (step.do === 'ask') expect(await told(...step.period)).toEqual(await counted(...step.period));
          else {
            const account = accounts[step.account === 0 ? 0 : 1];
            if (step.do === 'send') await send(account, step.day, step.what);
            else if (step.do === 'send owed') await sendOwed(account, step.day, step.what);
            else if (step.do === 'number') await see(account, step.day, `${i % 3}`);
            else await seeOwed(account, step.day, `${i % 3}`);
          }
        }
        expect(await told('2025-11-01', '2026-04-30')).toEqual(await counted('2025-11-01', '2026-04-30'));
      }),
      { numRuns: rounds({ short: 40, long: 600 }) },
    );
  });

  it.each([
    ['a send', send],
    ['a send that was owed', sendOwed],
    ['a number-day', (account: Seeded, of: string) => see(account, of, '1')],
    ['a number-day that was owed', (account: Seeded, of: string) => seeOwed(account, of, '1')],
  ])('is taken back by %s of a day that is in it, and stays otherwise', async (_, write) => {
    const [account, other] = [await seed(store), await seed(store)];
    for (const { accountId } of [account, other]) {
      await store.db
        .insertInto('usage_sends')
        .values(['2026-01-05', '2026-02-05'].map((of) => ({ account_id: accountId, day: of, type: 'text', count: 2 })))
        .execute();
    }
    await sum('2026-02-10');
    const all = ['2026-01 2026-01-31', '2026-01 2026-01-31', '2026-02 2026-02-10', '2026-02 2026-02-10'];
    expect(await summed()).toEqual(all);
    await write(account, '2026-02-11');
    expect(await summed()).toEqual(all);
    await write(account, '2026-01-31');
    expect(await summed()).toEqual(all.slice(1));
    expect(await told('2026-01-01', '2026-02-28')).toEqual(await counted('2026-01-01', '2026-02-28'));
    await sum('2026-02-10');
    expect(await summed()).toEqual(all);
    expect(await told('2026-01-01', '2026-02-28')).toEqual(await counted('2026-01-01', '2026-02-28'));
  });

  it('would be wrong if late writes did not take it back', async () => {
    const account = await seed(store);
    await send(account, '2026-01-05');
    await sum('2026-02-10');
    store.hot.summed.reach('');
    await send(account, '2026-01-06');
    expect(await told('2026-01-01', '2026-01-31')).not.toEqual(await counted('2026-01-01', '2026-01-31'));
    // What somebody wrote who knows of no sums is in them a day later.
    await sum('2026-02-11');
    expect(await told('2026-01-01', '2026-01-31')).toEqual(await counted('2026-01-01', '2026-01-31'));
  });

  it('is read in place of the days, and only of accounts that are there', async () => {
    const [account, gone] = [await seed(store), await seed(store)];
    for (const one of [account, gone]) await send(one, '2026-01-05');
    await sum('2026-02-10');
    await store.db.deleteFrom('usage_sends').execute();
    for (const child of ['api_keys', 'instances'] as const)
      await store.db.deleteFrom(child).where('account_id', '=', gone.accountId).execute();
    await store.db.deleteFrom('accounts').where('id', '=', gone.accountId).execute();
    const january = { account: account.accountId, month: '2026-01', sends: 1, byType: { text: 1 }, numberDays: 0 };
    expect(await told('2025-12-01', '2026-02-28')).toEqual([january]);
  });

  it('is made of every month since the first use, and anew of this one and the one before', async () => {
    const account = await seed(store);
    await seed(store);
    await see(account, '2025-11-29', '1');
    await send(account, '2026-02-02');
    await sum('2026-02-10');
    expect(await summed()).toEqual(['2025-11 2025-11-30', '2025-12 2025-12-31', '2026-01 2026-01-31', '2026-02 2026-02-10']);
    await store.db.updateTable('usage_sums').set({ number_days: 7 }).execute();
    await sum('2026-02-11');
    const rows = await store.db.selectFrom('usage_sums').select(['month', 'number_days']).orderBy('month').execute();
    expect(rows.map(({ number_days }) => number_days)).toEqual([7, 7, 0, 0]);
    expect(await summed()).toContain('2026-02 2026-02-11');
  });

  it('is made by a server some time after its start, and every day by one of them, of days that have been over for two', async () => {
    const clock = createManualClock(Date.UTC(2026, 1, 14, 0, 30));
    const account = await seed(store);
    await send(account, '2026-01-05');
    const log = { error: vi.fn() };
    const start = () => keepUsageSums({ store, clock, time: new LastingTime(clock), log });
    const [one, other] = [await start(), await start()];
    try {
      expect(store.hot.summed.mayHave('2026-02-12')).toBe(true);
      expect(store.hot.summed.mayHave('2026-02-13')).toBe(false);
      clock.advance(60_000);
      await waitFor(async () => expect(await summed()).toEqual(['2026-01 2026-01-31', '2026-02 2026-02-11']));
      for (let hour = 0; hour < 24; hour++) {
        await waitFor(() => expect(clock.pending).toBe(2));
        clock.advance(dayMs / 24);
      }
      await waitFor(async () => expect(await summed()).toEqual(['2026-01 2026-01-31', '2026-02 2026-02-12']));
      // A server whose calendar is behind knows what the others have summed.
      clock.setCalendar(-20 * dayMs);
      const third = await start();
      expect(store.hot.summed.mayHave('2026-02-12')).toBe(true);
      await third.stop();
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
    expect(log.error).not.toHaveBeenCalled();
  });

  // The embedded store has one transaction at a time.
  it.each([kind].filter((one) => one === 'postgres'))('on %s waits for what is being written late, and is waited for', async () => {
    const account = await seed(store);
    const january = { month: '2026-01', through: '2026-01-31' };
    store.hot.summed.reach('2026-01-31');
    const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
    const { promise: goOn, resolve: end } = Promise.withResolvers<void>();
    const writing = store.transaction(async (trx) => {
      await settleOnce(trx, kind, account.settle({ day: '2026-01-05' }));
      wrote();
      await goOn;
    });
    await written;
    const summing = sumMonth(store, [account.accountId], january);
    await waits();
    end();
    await Promise.all([writing, summing]);
    expect(await store.db.selectFrom('usage_sums').select('sends').execute()).toEqual([{ sends: '{"text":1}' }]);

    const { promise: summedNow, resolve: hasSummed } = Promise.withResolvers<void>();
    const { promise: commit, resolve: endSum } = Promise.withResolvers<void>();
    await store.transaction((trx) => takeBackSum(trx, account.accountId, '2026-01-05'));
    const held = store.transaction(async (trx) => {
      await keepSumsForOneself(trx, kind);
      await trx
        .insertInto('usage_sums')
        .values({ account_id: account.accountId, ...january, number_days: 0, sends: '{"text":1}' })
        .execute();
      hasSummed();
      await commit;
    });
    await summedNow;
    const late = [send(account, '2026-01-06'), sendOwed(account, '2026-01-07'), see(account, '2026-01-08', '1')];
    await waits(3);
    endSum();
    await Promise.all([held, ...late]);
    expect(await summed()).toEqual([]);
    expect(await told('2026-01-01', '2026-01-31')).toEqual([
      { account: account.accountId, month: '2026-01', sends: 3, byType: { text: 3 }, numberDays: 1 },
    ]);
  });

  /** Until so many statements wait for the table. */
  const waits = (count = 1) =>
    waitFor(async () => {
      const rows = await store.db
        .selectFrom('pg_locks' as never)
        .selectAll()
        .where('granted' as never, '=', false as never)
        .where('locktype' as never, '=', 'relation' as never)
        .execute();
      expect(rows).toHaveLength(count);
    });
});
