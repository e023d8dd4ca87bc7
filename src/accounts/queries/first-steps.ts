import { sql } from 'kysely';
import { type Db, readMeta, writeMeta } from '../../store/index.ts';

const demoAccountName = 'demo account';

/** The account that a start with a demo made; null: there was none. */
export const demoAccountId = (db: Db): Promise<string | null> => readMeta(db, demoAccountName);

export const insertDemoAccountId = (db: Db, accountId: string): Promise<void> => writeMeta(db, demoAccountName, accountId);

/** What the operator of a new installation has done, by what is stored of it; each is one step into a table. */
export async function selectOperatorSteps(db: Db) {
  const demo = await demoAccountId(db);
  const { rows } = await sql<Record<'message' | 'customer' | 'person' | 'alert', unknown>>`select
    exists (select 1 from usage_sends) as message,
    exists (select 1 from accounts where id <> ${demo ?? ''}) as customer,
    exists (select 1 from users order by id limit 1 offset 1)
      or exists (select 1 from one_time_links where purpose = 'invitation' and used_at is null) as person,
    exists (select 1 from alert_targets where account_id is null) as alert`.execute(db);
  const [{ message, customer, person, alert } = {}] = rows;
  // 0 or 1 on SQLite.
  return { message: Boolean(message), customer: Boolean(customer), person: Boolean(person), alert: Boolean(alert), demo };
}
