import { selectAccountIds } from '../accounts/index.ts';
import { dayMs, hourMs, utcDay } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { counted, inTurns, within } from './counted.ts';
import { usageDays } from './days.ts';
import { selectSendsOfHour } from './queries/last-day.ts';
import { type Ends, type SendsScope, selectEnds, selectNumberDays } from './queries/over-time.ts';

const hoursOfWeek = 7 * 24;
const daysShown = 30;
/** What was counted of many accounts counts for so long, for all who ask. A day that is over hardly changes. */
const freshMs = { hours: 10_000, days: 10 * 60_000 };
const accountsAtOnce = 100;

interface Hour {
  /** Hours since 1970. */
  readonly hour: number;
  readonly sends: Ends;
  /** Of the same hour of the week before. */
  readonly weekBefore: Ends;
}

export interface Day {
  /** YYYY-MM-DD. */
  readonly day: string;
  /** How many numbers were seen connected. */
  readonly numbers: number;
}

const none: Ends = { accepted: 0, failed: 0, refused: 0 };

/** How the sends of the last 24 hours ended, by the hour, oldest first. The hour that runs is the last. */
export function endsByHour(store: Store, of: SendsScope, now: number): Promise<readonly Hour[]> {
  const last = Math.floor(now / hourMs);
  const hours = Array.from({ length: 24 }, (_, place) => last - 23 + place);
  const weekBefore = hours.map((hour) => hour - hoursOfWeek);
  const inOrder = (rows: readonly (Ends & { readonly hour: number })[]) => {
    const found = new Map(rows.map(({ hour, ...ends }) => [hour, ends]));
    return hours.map((hour) => ({ hour, sends: found.get(hour) ?? none, weekBefore: found.get(hour - hoursOfWeek) ?? none }));
  };
  if ('accountId' in of) return selectEnds(store.db, of, [...hours, ...weekBefore]).then(inOrder);
  const read = async (some: readonly number[]) => {
    const rows = [];
    for await (const hour of inTurns(some, 1)) rows.push(...(await selectEnds(store.db, of, hour)));
    return rows;
  };
  const ofProviders = of.providerIds?.join();
  return counted(store, `hours ${ofProviders}`, within(freshMs.hours, now), now, async () => {
    // What is over changes no more: it is read again when the next hour begins.
    const inHour = (at: number) => Math.floor(at / hourMs) === last;
    const before = await counted(store, `hours before ${ofProviders}`, inHour, now, () => read(weekBefore));
    return inOrder([...(await read(hours)), ...before]);
  });
}

/** How many numbers were seen connected on each of the last 30 UTC days, oldest first. */
export function numbersByDay(store: Store, of: SendsScope, now: number): Promise<readonly Day[]> {
  const [from, to] = [utcDay(now - (daysShown - 1) * dayMs), utcDay(now)];
  const count = async (ids: readonly string[]) => {
    const days = new Map(usageDays(from, to).map((day) => [day, 0]));
    for await (const some of inTurns(ids, accountsAtOnce)) {
      for (const { day, n } of await selectNumberDays(store.db, some, { from, to })) days.set(day, (days.get(day) ?? 0) + n);
    }
    return [...days].map(([day, numbers]) => ({ day, numbers }));
  };
  if ('accountId' in of) return count([of.accountId]);
  const { providerIds } = of;
  return counted(store, `days ${providerIds?.join()}`, within(freshMs.days, now), now, async () =>
    count(await selectAccountIds(store.db, providerIds)),
  );
}

/** The ids of the accounts with a send that was answered in the hour of this moment, or with one that ended so. */
export async function accountsOfHour({ db }: Store, at: number, end: keyof Ends | undefined): Promise<string[]> {
  const rows = await selectSendsOfHour(db, Math.floor(at / hourMs));
  return rows.flatMap(({ account_id, sends, accepted, failed }) => {
    const ends: Ends = { accepted, failed, refused: sends - accepted - failed };
    return end === undefined || ends[end] > 0 ? [account_id] : [];
  });
}
