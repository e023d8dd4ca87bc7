import { dayMs, utcDay } from '../core/index.ts';
import { monthOf } from '../store/index.ts';

/** UTC days (YYYY-MM-DD), both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The months (YYYY-MM) that these days lie in, oldest first. */
export function monthsOf(from: string, to: string): string[] {
  let month = monthOf(from);
  const months = [month];
  while (month < monthOf(to)) {
    month = monthOf(after(lastDayOf(month), 1));
    months.push(month);
  }
  return months;
}

/** How to make up some days of a month out of `days`: they are what is asked for, or what is not, to be taken off the whole month. */
export interface Parts {
  readonly whole: boolean;
  readonly days: readonly Days[];
}

/**
 * What makes up those of these days that are in this month, with the fewest days to read; those after `today` are most likely empty. Today is never
 * taken off a month: what is counted between the two reads would be left over.
 */
export function partsOf(month: string, { from, to }: Days, today: string): Parts {
  const [first, last] = [`${month}-01`, lastDayOf(month)];
  const asked = [{ from: from > first ? from : first, to: to < last ? to : last }];
  const others = [
    ...(from > first ? [{ from: first, to: after(from, -1) }] : []),
    ...(to < last ? [{ from: after(to, 1), to: last }] : []),
  ];
  const othersGrow = others.some((days) => days.from <= today && today <= days.to);
  const whole = !othersGrow && countUntil(today, others) <= countUntil(today, asked);
  return { whole, days: whole ? others : asked };
}

function countUntil(today: string, parts: readonly Days[]): number {
  return parts.reduce((sum, { from, to }) => sum + Math.max(0, (Date.parse(to < today ? to : today) - Date.parse(from)) / dayMs + 1), 0);
}

function lastDayOf(month: string): string {
  const inNext = new Date(Date.parse(`${month}-28`) + 4 * dayMs);
  return utcDay(inNext.getTime() - inNext.getUTCDate() * dayMs);
}

/** So many days later, or with a negative number earlier. */
function after(day: string, days: number): string {
  return utcDay(Date.parse(day) + days * dayMs);
}
