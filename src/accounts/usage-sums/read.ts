import { monthOf } from '../../store/index.ts';
import type { Db } from '../queries.ts';
import { lastDayOf, monthsOf } from './months.ts';
import { type Days, partsOf } from './parts.ts';
import { numberDaysIn, selectSums, sendsIn } from './queries.ts';
import { Tally, type Used } from './used.ts';

/** Days to read for several accounts at once. */
interface Reading {
  readonly days: Days;
  /** −1: they are taken off. */
  readonly sign: 1 | -1;
  readonly accountIds: string[];
}

/**
 * What each of these accounts used in these days, by month; months without use are absent. Months are taken from their sums where there are
 * any, and only what these lack or have too much is read day by day.
 */
export async function readUsage(
  db: Db,
  accountIds: readonly string[],
  { from, to }: Days,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Used>>> {
  const months = monthsOf(from, to).map((month) => ({ from: later(from, `${month}-01`), to: sooner(to, lastDayOf(month)) }));
  const tallies = new Map(accountIds.map((id) => [id, new Map(months.map((days) => [monthOf(days.from), new Tally()]))] as const));
  const tallyOf = (accountId: string, day: string) => tallies.get(accountId)?.get(monthOf(day));
  const sums = new Map(
    (await selectSums(db, accountIds, { from: monthOf(from), to: monthOf(to) })).map((sum) => [`${sum.account_id} ${sum.month}`, sum]),
  );
  const readings = new Map<string, Reading>();
  const read = (accountId: string, days: Days, sign: 1 | -1): void => {
    const id = `${sign} ${days.from} ${days.to}`;
    const reading = readings.get(id) ?? { days, sign, accountIds: [] };
    readings.set(id, reading);
    reading.accountIds.push(accountId);
  };
  for (const accountId of accountIds) {
    for (const asked of months) {
      const sum = sums.get(`${accountId} ${monthOf(asked.from)}`);
      const parts = partsOf(asked, sum?.through ?? null);
      if (parts.sum && sum !== undefined) tallyOf(accountId, asked.from)?.add({ byType: sum.byType, numberDays: sum.number_days });
      for (const days of parts.added) read(accountId, days, 1);
      for (const days of parts.removed) read(accountId, days, -1);
    }
  }
  for (const { days, sign, accountIds: some } of readings.values()) {
    // A database of its own has two processors for the two.
    const [sends, numberDays] = await Promise.all([sendsIn(db, some, days), numberDaysIn(db, some, days)]);
    for (const { account_id, type, n } of sends) tallyOf(account_id, days.from)?.addSends(type, sign * n);
    for (const { account_id, n } of numberDays) {
      const tally = tallyOf(account_id, days.from);
      if (tally !== undefined) tally.numberDays += sign * n;
    }
  }
  return new Map([...tallies].map(([id, used]) => [id, new Map([...used].filter(([, tally]) => !tally.empty))]));
}

// Days as texts are in the order of the days.
const later = (one: string, other: string): string => (one > other ? one : other);
const sooner = (one: string, other: string): string => (one < other ? one : other);
