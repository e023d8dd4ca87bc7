import { type Kysely, type Migration, sql } from 'kysely';
import { newId } from '../../core/index.ts';
import type { Dialect } from '../store.ts';
import { accountTables } from './0001/accounts.ts';
import { alertTables } from './0001/alerts.ts';
import { columnTypes } from './0001/column-types.ts';
import { numberTables } from './0001/numbers.ts';
import { peopleTables } from './0001/people.ts';
import { sendTables } from './0001/sends.ts';

/** Every table of the first release, and what an empty database begins with. */
export function firstSchema(dialect: Dialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      // A table comes after those that it refers to.
      for (const tables of [accountTables, peopleTables, numberTables, sendTables, alertTables]) {
        for (const statement of tables(columnTypes[dialect]).split(';')) await sql.raw(statement).execute(db);
      }
      await addBuiltIn(db as Kysely<BuiltIn>);
    },
  };
}

interface BuiltIn {
  providers: { id: string; name: string; status: string; created_at: number };
  plans: {
    id: string;
    name: string;
    messages_per_minute: number;
    instance_limit: number;
    trial_message_limit: number | null;
    created_at: number;
  };
}

/** The default provider and the plans (decisions §8); the operator edits them. */
async function addBuiltIn(db: Kysely<BuiltIn>): Promise<void> {
  const created_at = Date.now();
  await db.insertInto('providers').values({ id: 'default', name: 'default', status: 'active', created_at }).execute();
  const plan = (name: string, messages_per_minute: number, instance_limit: number, trial_message_limit: number | null) => ({
    ...{ id: newId(), name, messages_per_minute, instance_limit, trial_message_limit, created_at },
  });
  await db
    .insertInto('plans')
    .values([plan('trial', 30, 1, 100), plan('starter', 60, 3, null), plan('business', 300, 25, null), plan('scale', 1200, 200, null)])
    .execute();
}
