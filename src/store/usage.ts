import { type Kysely, sql } from 'kysely';
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
  await addDaySends(trx, { account_id, day, type, count }).execute();
  await addMonthSends(trx, { account_id, month: monthOf(day), type, count }).execute();
}

/** Counts the day for the number, and for the account's month, unless it is counted already. To be called in a transaction. */
export async function addNumberDay(trx: Kysely<Database>, { accountId: account_id, day, phoneNumber }: NumberSeen): Promise<void> {
  const { numInsertedOrUpdatedRows } = await addNumber(trx, { account_id, day, phone_number: phoneNumber }).executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) await addMonthNumberDay(trx, { account_id, month: monthOf(day) }).execute();
}

export function addDaySends(db: Kysely<Database>, row: Database['usage_sends']) {
  return db
    .insertInto('usage_sends')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'day', 'type'])
        .doUpdateSet((eb) => ({ count: eb('usage_sends.count', '+', eb.ref('excluded.count')) })),
    );
}

export function addMonthSends(db: Kysely<Database>, row: Database['usage_sends_by_month']) {
  return db
    .insertInto('usage_sends_by_month')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'month', 'type'])
        .doUpdateSet((eb) => ({ count: eb('usage_sends_by_month.count', '+', eb.ref('excluded.count')) })),
    );
}

export function addNumber(db: Kysely<Database>, row: Database['usage_number_days']) {
  return db
    .insertInto('usage_number_days')
    .values(row)
    .onConflict((conflict) => conflict.doNothing());
}

export function addMonthNumberDay(db: Kysely<Database>, row: Omit<Database['usage_number_days_by_month'], 'count'>) {
  return db
    .insertInto('usage_number_days_by_month')
    .values({ ...row, count: sql.lit(1) })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'month'])
        .doUpdateSet((eb) => ({ count: eb('usage_number_days_by_month.count', '+', eb.ref('excluded.count')) })),
    );
}
