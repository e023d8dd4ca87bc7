import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';
import type { Dialect } from './store.ts';

/** Later than every day. */
const never = '9999-12-31';

/**
 * Up to which day usage may be in a sum already. Sums are made of days that have been over for long, so this tells what is written of them late
 * from all other writes, which need not look for a sum.
 */
export class SummedDays {
  #through = never;

  /** From now on no sum goes beyond this UTC day. Until it is said first, any day may be in one. */
  reach(through: string): void {
    this.#through = through;
  }

  /** Whether the UTC day may be in a sum, which whoever writes of it takes back (`takeBackSum`). */
  mayHave(day: string): boolean {
    return day <= this.#through;
  }
}

/** The month (YYYY-MM) of a day. */
export const monthOf = (day: string): string => day.slice(0, 7);

/**
 * Takes back the account's sum that has this day, if there is one, in the transaction that writes of the day: until it is made anew the days
 * themselves are read.
 */
export async function takeBackSum(trx: Kysely<Database>, accountId: string, day: string): Promise<void> {
  await trx
    .deleteFrom('usage_sums')
    .where('account_id', '=', accountId)
    .where('month', '=', monthOf(day))
    .where('through', '>=', day)
    .execute();
}

/**
 * To be called in the transaction that makes sums, before it reads any day. On PostgreSQL it waits for everybody who has taken a sum back (or
 * looked for one) until what they write can be seen; who comes later waits until the sums are there to be taken back.
 */
export async function keepSumsForOneself(trx: Kysely<Database>, dialect: Dialect): Promise<void> {
  if (dialect === 'postgres') await sql`lock table usage_sums in share row exclusive mode`.execute(trx);
}
