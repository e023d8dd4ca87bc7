import type { Db } from '../store/index.ts';
import { type Days, monthsOf, partsOf } from './months.ts';
import { numberDaysByMonth, numberDaysIn, sendsByMonth, sendsIn } from './queries/usage.ts';

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

/** What was used, of whatever and whenever. */
export interface Used {
  readonly sends: number;
  /** Accepted sends by message type; types without any are absent. */
  readonly byType: Readonly<Record<string, number>>;
  /** Different phone numbers seen connected, for every day anew. */
  readonly numberDays: number;
}

/** As the portal's endpoints answer it. */
export const usedView = ({ sends, byType, numberDays }: Used) => ({ sends, by_type: byType, number_days: numberDays });

/** What was used while it is being added up. */
export class Tally implements Used {
  sends = 0;
  readonly byType: Record<string, number> = {};
  numberDays = 0;

  /** Sends of a type; a negative number takes them off. */
  addSends(type: string, n: number): void {
    const count = (this.byType[type] ?? 0) + n;
    this.sends += n;
    if (count === 0) delete this.byType[type];
    else this.byType[type] = count;
  }

  addNumberDays(n: number): void {
    this.numberDays += n;
  }

  add({ byType, numberDays }: Used): void {
    for (const [type, n] of Object.entries(byType)) this.addSends(type, n);
    this.addNumberDays(numberDays);
  }

  get empty(): boolean {
    return this.sends === 0 && this.numberDays === 0;
  }
}

/** The sum of several. */
export function addUp(parts: readonly Used[]): Used {
  const sum = new Tally();
  for (const part of parts) sum.add(part);
  const { sends, byType, numberDays } = sum;
  return { sends, byType, numberDays };
}
