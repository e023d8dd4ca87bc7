const dayMs = 24 * 60 * 60 * 1000;

/** The months (YYYY-MM) that these days lie in, oldest first. */
export function monthsOf(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from.slice(0, 7); month <= to.slice(0, 7); month = monthAfter(month, 1)) months.push(month);
  return months;
}

/** So many months later, or with a negative number earlier. */
export function monthAfter(month: string, months: number): string {
  return new Date(firstOf(month, months)).toISOString().slice(0, 7);
}

/** The last day (YYYY-MM-DD) of a month. */
export function lastDayOf(month: string): string {
  return new Date(firstOf(month, 1) - dayMs).toISOString().slice(0, 10);
}

function firstOf(month: string, after: number): number {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return Date.UTC(year, number - 1 + after, 1);
}
