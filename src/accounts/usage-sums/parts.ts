/** UTC days (YYYY-MM-DD), both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** What makes up some days of a month. */
export interface Parts {
  /** Whether the month's sum is part of it. */
  readonly sum: boolean;
  /** Days that are counted. */
  readonly added: readonly Days[];
  /** Days that are in the sum and do not count. */
  readonly removed: readonly Days[];
}

/** What makes up these days, all of one month, with the fewest days to read; `through`: the last day that is in the month's sum, null: there is none. */
export function partsOf(asked: Days, through: string | null): Parts {
  const alone: Parts = { sum: false, added: [asked], removed: [] };
  if (through === null || through < asked.from) return alone;
  const month = asked.from.slice(0, 8);
  const [from, to, last] = [dayOf(asked.from), dayOf(asked.to), dayOf(through)];
  const daysOf = (first: number, end: number): Days[] =>
    first > end ? [] : [{ from: `${month}${twoDigits(first)}`, to: `${month}${twoDigits(end)}` }];
  const read = from - 1 + Math.abs(to - last);
  if (read > to - from) return alone;
  return { sum: true, added: daysOf(last + 1, to), removed: [...daysOf(1, from - 1), ...daysOf(to + 1, last)] };
}

const dayOf = (day: string): number => Number(day.slice(8));
const twoDigits = (number: number): string => String(number).padStart(2, '0');
