import { dayMs, utcDay } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { selectNumberSends } from './queries/number-sends.ts';

const days = 30;

/** How the sends from a number ended on each of the last 30 UTC days, oldest first, without gaps. */
export async function numberSends({ db }: Pick<Store, 'db'>, number: { readonly id: string; readonly accountId: string }, now: number) {
  const today = now - (now % dayMs);
  const first = today - (days - 1) * dayMs;
  const known = new Map((await selectNumberSends(db, number, first)).map(({ day, ...counts }) => [day, counts]));
  return Array.from({ length: days }, (_, place) => {
    const day = first + place * dayMs;
    return { day: utcDay(day), ...(known.get(day) ?? { accepted: 0, refused: 0, failed: 0 }) };
  });
}
