import { dayMs, OperatorError, utcDay } from '../core/index.ts';
import { existingAccount, type Store } from '../store/index.ts';
import { selectNumberDays } from './queries/over-time.ts';
import { selectSends } from './queries/usage.ts';
import { Tally, type Used } from './read.ts';

/** What an account used on one UTC day. */
export interface UsageDay extends Used {
  /** YYYY-MM-DD. */
  readonly day: string;
}

const maxDays = 3660;

/**
 * The account's usage of every UTC day from `from` to `to` (YYYY-MM-DD, both included), oldest first, without gaps.
 * Throws OperatorError for an unknown account or a period `usageDays` refuses.
 */
export async function usage(store: Store, accountId: string, from: string, to: string): Promise<UsageDay[]> {
  const days = usageDays(from, to);
  const account = await existingAccount(store.db, accountId);
  const tallies = new Map(days.map((day) => [day, new Tally()]));
  for (const { day, type, count } of await selectSends(store.db, account, from, to)) tallies.get(day)?.addSends(type, count);
  for (const { day, n } of await selectNumberDays(store.db, [account], { from, to })) tallies.get(day)?.addNumberDays(n);
  return [...tallies].map(([day, { sends, byType, numberDays }]) => ({ day, sends, byType, numberDays }));
}

/** The days from `from` to `to`, both included. Throws OperatorError when there are none or more than ten years of them. */
export function usageDays(from: string, to: string): string[] {
  const first = Date.parse(from);
  const count = (Date.parse(to) - first) / dayMs + 1;
  if (count < 1) throw new OperatorError(`the period ends (${to}) before it begins (${from})`);
  if (count > maxDays) throw new OperatorError(`the period has ${count} days, at most ${maxDays} can be asked for at once`);
  return Array.from({ length: count }, (_, i) => utcDay(first + i * dayMs));
}
