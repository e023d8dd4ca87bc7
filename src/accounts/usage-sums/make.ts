import { setTimeout as sleep } from 'node:timers/promises';
import { keepSumsForOneself, monthOf, type Store } from '../../store/index.ts';
import { lastDayOf, monthAfter, monthsOf } from './months.ts';
import { numberDaysIn, selectAccountIds, selectFirstDays, selectSummedMonths, sendsIn, writeSums } from './queries.ts';
import { Tally } from './used.ts';

/** An embedded store sums on the thread that serves requests, and nobody else writes meanwhile: so many accounts at a time, */
const accountsAtOnce = 100;
/** and everybody else's turn for so many times as long as they took. */
const pauses = 2;

/**
 * Makes the sums of every account up to this day, which must have been over for long. The month of the day and the one before are summed anew,
 * whatever a server of an older release has written late; of older months only what is missing. Ends early when `stopped` says so.
 */
export async function makeSums(store: Store, through: string, stopped: () => boolean = () => false): Promise<void> {
  const ids = await selectAccountIds(store.db);
  for (let start = 0; start < ids.length; start += accountsAtOnce) {
    for (const [month, accountIds] of await monthsToSum(store, ids.slice(start, start + accountsAtOnce), through)) {
      if (stopped()) return;
      const last = lastDayOf(month);
      const begun = performance.now();
      await sumMonth(store, accountIds, { month, through: last < through ? last : through });
      await sleep(pauses * (performance.now() - begun));
    }
  }
}

/** Which of these accounts need a sum of which month. */
async function monthsToSum({ db }: Store, accountIds: readonly string[], through: string): Promise<ReadonlyMap<string, string[]>> {
  const summed = new Set((await selectSummedMonths(db, accountIds)).map(({ account_id, month }) => `${account_id} ${month}`));
  const anewFrom = monthAfter(monthOf(through), -1);
  const months = new Map<string, string[]>();
  for (const [id, first] of await selectFirstDays(db, accountIds)) {
    for (const month of monthsOf(first, through)) {
      if (month < anewFrom && summed.has(`${id} ${month}`)) continue;
      const accounts = months.get(month) ?? [];
      months.set(month, accounts);
      accounts.push(id);
    }
  }
  return months;
}

/** Adds up a month of these accounts from its first day through this one, in place of what was added up before. */
export async function sumMonth(
  { dialect, transaction }: Store,
  accountIds: readonly string[],
  { month, through }: { readonly month: string; readonly through: string },
): Promise<void> {
  await transaction(async (trx) => {
    await keepSumsForOneself(trx, dialect);
    const tallies = new Map(accountIds.map((id) => [id, new Tally()]));
    const days = { from: `${month}-01`, to: through };
    for (const { account_id, type, n } of await sendsIn(trx, accountIds, days)) tallies.get(account_id)?.addSends(type, n);
    for (const { account_id, n } of await numberDaysIn(trx, accountIds, days)) tallies.get(account_id)?.add({ byType: {}, numberDays: n });
    await writeSums(
      trx,
      [...tallies].map(([account_id, { byType, numberDays }]) => ({ account_id, month, through, byType, number_days: numberDays })),
    );
  });
}
