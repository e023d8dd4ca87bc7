import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/index.ts';
import { addNumberDay, addSends, type Store, settleOnce } from '../../src/store/index.ts';
import { monthsOf, numberDayWrite, usageOfAccounts } from '../../src/usage/index.ts';
import { partsOf } from '../../src/usage/months.ts';
import { keyed, type Seeded, said, seed, start } from '../store/seed.ts';
import { rounds } from '../support/run-options.ts';
import { openTestStore, storeKinds } from '../support/stores.ts';
import { monthsOfDays, noted } from '../support/usage-months.ts';

const dayMs = 24 * 60 * 60 * 1000;
const firstDay = Date.UTC(2025, 10, 20);
/** A day of the three months and more that everything here happens in. */
const day = fc.integer({ min: 0, max: 110 }).map((after) => new Date(firstDay + after * dayMs).toISOString().slice(0, 10));
const period = fc.tuple(day, day).map((days) => days.toSorted() as [string, string]);

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('send' as const, 'send pending' as const, 'number' as const, 'number pending' as const),
      account: fc.nat(1),
      day,
      what: fc.constantFrom('text', 'image'),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ do: fc.constant('ask' as const), period, today: day }),
  ),
  { minLength: 8, maxLength: 40 },
);

describe.each(storeKinds)('usage by month on %s', (kind) => {
  let store: Store & { dispose(): Promise<void> };
  beforeAll(async () => {
    store = await openTestStore(kind);
  });
  afterAll(() => store.dispose());
  beforeEach(async () => {
    await forget();
    for (const table of ['api_keys', 'instances', 'accounts'] as const) await store.db.deleteFrom(table).execute();
  });

  async function forget(): Promise<void> {
    for (const table of ['usage_sends', 'usage_number_days', 'usage_sends_by_month', 'usage_number_days_by_month'] as const)
      await store.db.deleteFrom(table).execute();
  }

  const send = (account: Seeded, of: string, type = 'text') => store.hot.settle(account.settle({ day: of, type }));
  const sendPending = (account: Seeded, of: string, type = 'text') =>
    store.transaction((trx) => settleOnce(trx, account.settle({ day: of, type }), start));
  const see = ({ accountId }: Seeded, of: string, phoneNumber: string) => store.hot.seeNumber({ accountId, day: of, phoneNumber });
  const seeOwed = ({ accountId }: Seeded, of: string, phoneNumber: string) =>
    store.transaction((trx) => numberDayWrite.run(trx, JSON.stringify({ accountId, day: of, phoneNumber }), start));
  /** What the accounts used, by account and month. */
  const listed = async (from: string, to: string, today: string) => {
    const list = await usageOfAccounts(store, { providerIds: null, from, to, today });
    return list.flatMap(({ account, months }) =>
      [...months].map(([month, { sends, byType, numberDays }]) => ({ account: account.id, month, sends, byType, numberDays })),
    );
  };
  /** The same out of every single day. */
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

  it('is what the days say, whoever counts them and whichever days are asked for', async () => {
    const accounts = [await seed(store), await seed(store)] as const;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await forget();
        for (const [i, step] of sequence.entries()) {
          if (step.do === 'ask') {
            expect(await listed(...step.period, step.today)).toEqual(await counted(...step.period));
            continue;
          }
          const account = accounts[step.account === 0 ? 0 : 1];
          const times = Array.from({ length: step.times });
          if (step.do === 'send') await Promise.all(times.map(() => send(account, step.day, step.what)));
          else if (step.do === 'send pending') await sendPending(account, step.day, step.what);
          else if (step.do === 'number') await Promise.all(times.map((_, n) => see(account, step.day, `${(i + n) % 3}`)));
          else await seeOwed(account, step.day, `${i % 3}`);
        }
        expect(await noted(store.db)).toEqual(await monthsOfDays(store.db));
      }),
      { numRuns: rounds({ short: 40, long: 600 }) },
    );
  });

  it('is counted with the days of one batch, keyed and not, of several accounts and both sides of a midnight', async () => {
    const accounts = [await seed(store), await seed(store), await seed(store)];
    const key = newId();
    const keyedSends = accounts.map((account) => ({ ...account.settle({ day: '2026-02-01', keyed: said(key) }) }));
    await Promise.all(accounts.map((account) => store.hot.claim(account.claim({ keyed: keyed(key) }))));
    await Promise.all([
      // The second settlement of a claim counts nothing.
      ...[...keyedSends, ...keyedSends].map((call) => store.hot.settle(call)),
      ...accounts.flatMap((account) =>
        ['2026-01-30', '2026-01-31', '2026-02-01'].flatMap((of) => [
          send(account, of),
          send(account, of, 'image'),
          see(account, of, '1'),
          see(account, of, '1'),
        ]),
      ),
    ]);
    const all = await noted(store.db);
    expect(all).toEqual(await monthsOfDays(store.db));
    expect(
      all.sends.filter(({ account_id }) => account_id === accounts[0]?.accountId).map(({ month, type, count }) => [month, type, count]),
    ).toEqual([
      ['2026-01', 'image', 2],
      ['2026-01', 'text', 2],
      ['2026-02', 'image', 1],
      ['2026-02', 'text', 2],
    ]);
    expect(all.numberDays.map(({ month, count }) => [month, count])).toEqual(
      accounts.flatMap(() => [
        ['2026-01', 2],
        ['2026-02', 1],
      ]),
    );
  });

  it('is not counted where the day cannot be', async () => {
    const account = await seed(store);
    const undone = store.transaction(async (trx) => {
      await addSends(trx, { accountId: account.accountId, day: '2026-01-05', type: 'text', count: 3 });
      await addNumberDay(trx, { accountId: account.accountId, day: '2026-01-05', phoneNumber: '1' });
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await noted(store.db)).toEqual({ sends: [], numberDays: [] });
  });
});

describe('the days to read of a month', () => {
  const year = { from: '2025-01-01', to: '2026-12-31' };

  it.each([
    ['a month that is wholly asked for', '2026-02', year, '2026-03-10', { whole: true, days: [] }],
    [
      'the running month so far',
      '2026-02',
      { from: '2026-02-01', to: '2026-02-03' },
      '2026-02-03',
      { whole: true, days: [{ from: '2026-02-04', to: '2026-02-28' }] },
    ],
    [
      'the running month up to yesterday, without today, which is still being counted',
      '2026-02',
      { from: '2026-02-01', to: '2026-02-26' },
      '2026-02-27',
      { whole: false, days: [{ from: '2026-02-01', to: '2026-02-26' }] },
    ],
    [
      'its first days, later',
      '2026-02',
      { from: '2026-02-01', to: '2026-02-03' },
      '2026-02-20',
      { whole: false, days: [{ from: '2026-02-01', to: '2026-02-03' }] },
    ],
    [
      'most of a month',
      '2024-02',
      { from: '2024-02-03', to: '2024-02-28' },
      '2026-02-20',
      {
        whole: true,
        days: [
          { from: '2024-02-01', to: '2024-02-02' },
          { from: '2024-02-29', to: '2024-02-29' },
        ],
      },
    ],
    [
      'the end of a month',
      '2025-12',
      { from: '2025-12-30', to: '2026-01-20' },
      '2026-02-20',
      { whole: false, days: [{ from: '2025-12-30', to: '2025-12-31' }] },
    ],
    ['the last month there is', '9999-12', { from: '9999-12-01', to: '9999-12-31' }, '2026-02-20', { whole: true, days: [] }],
  ])('%s', (_, month, asked, today, parts) => {
    expect(partsOf(month, asked, today)).toEqual(parts);
  });

  it('are of the months that the period has', () => {
    expect(monthsOf('2025-11-30', '2026-02-01')).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
    expect(monthsOf('9999-12-31', '9999-12-31')).toEqual(['9999-12']);
  });
});
