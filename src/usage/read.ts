import type { Db } from '../store/index.ts';
import { type Days, monthsOf, partsOf } from './months.ts';
import { numberDaysByMonth, numberDaysIn, sendsByMonth, sendsIn } from './queries/usage.ts';
import { Tally, type Used } from './used.ts';

/**
 * What each of these accounts used in these days, by month; months without use are absent. Of a month that is not wholly asked for, days are
 * read, as few as possible.
 */
export async function readUsage(
  db: Db,
  accountIds: readonly string[],
  { from, to, today }: Days & { readonly today: string },
): Promise<ReadonlyMap<string, ReadonlyMap<string, Used>>> {
  const months = monthsOf(from, to);
  const tallies = new Map(accountIds.map((id) => [id, new Map(months.map((month) => [month, new Tally()]))]));
  const tallyOf = (accountId: string, month: string) => tallies.get(accountId)?.get(month);
  const whole: string[] = [];
  // Days are read before months: a send that is counted in between is then only in its month, and nothing falls below zero.
  for (const month of months) {
    const parts = partsOf(month, { from, to }, today);
    const sign = parts.whole ? -1 : 1;
    if (parts.whole) whole.push(month);
    for (const days of parts.days) {
      // A database of its own has two processors for the two.
      const [sends, numberDays] = await Promise.all([sendsIn(db, accountIds, days), numberDaysIn(db, accountIds, days)]);
      for (const { account_id, type, n } of sends) tallyOf(account_id, month)?.addSends(type, sign * n);
      for (const { account_id, n } of numberDays) tallyOf(account_id, month)?.addNumberDays(sign * n);
    }
  }
  if (whole.length > 0) {
    const [sends, numberDays] = await Promise.all([sendsByMonth(db, accountIds, whole), numberDaysByMonth(db, accountIds, whole)]);
    for (const { account_id, month, type, n } of sends) tallyOf(account_id, month)?.addSends(type, n);
    for (const { account_id, month, n } of numberDays) tallyOf(account_id, month)?.addNumberDays(n);
  }
  return new Map([...tallies].map(([id, used]) => [id, new Map([...used].filter(([, tally]) => !tally.empty))]));
}
