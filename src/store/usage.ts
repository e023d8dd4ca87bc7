import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { NumberSeen } from './hot-path.ts';
import type { Database } from './schema.ts';

/** Accepted sends of one type. */
interface Sends {
  readonly accountId: string;
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  readonly type: string;
  readonly count: number;
}

/** The month (YYYY-MM) of a day. */
export const monthOf = (day: string): string => day.slice(0, 7);

/** Counts sends for their day and its month, in the transaction that makes them final. */
export async function addSends(trx: Kysely<Database>, { accountId: account_id, day, type, count }: Sends): Promise<void> {
  await addUp('usage_sends', { account_id, day, type, count }).execute(trx);
  await addUp('usage_sends_by_month', { account_id, month: monthOf(day), type, count }).execute(trx);
}

/** Counts the day for the number, and for the account's month, unless it is counted already. To be called in a transaction. */
export async function addNumberDay(trx: Kysely<Database>, { accountId: account_id, day, phoneNumber }: NumberSeen): Promise<void> {
  const { numInsertedOrUpdatedRows } = await addNumber(trx, { account_id, day, phone_number: phoneNumber }).executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n)
    await addUp('usage_number_days_by_month', { account_id, month: monthOf(day), count: 1 }).execute(trx);
}

/** The tables that count something by all of their other columns. */
type Counts = 'usage_sends' | 'usage_sends_by_month' | 'usage_number_days_by_month' | 'send_outcomes';

/** Adds to what is counted under the row's other columns. */
export function addUp<Table extends Counts>(table: Table, row: Readonly<Record<keyof Database[Table], unknown>>): RawBuilder<unknown> {
  const names = Object.keys(row);
  const key = names.filter((name) => name !== 'count');
  const count = sql.ref(`${table}.count`);
  return sql`insert into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) values (${sql.join(Object.values(row))})
    on conflict (${sql.join(key.map((name) => sql.ref(name)))}) do update set count = ${count} + excluded.count`;
}

export function addNumber(db: Kysely<Database>, row: Database['usage_number_days']) {
  return db
    .insertInto('usage_number_days')
    .values(row)
    .onConflict((conflict) => conflict.doNothing());
}
