import { type Kysely, sql } from 'kysely';
import type { Database } from '../store/index.ts';

type Db = Kysely<Database>;

/** PostgreSQL's version as a number, 170002 for 17.2. */
export async function postgresVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db);
  return Number(rows[0]?.version);
}

/** PostgreSQL's own time in epoch milliseconds. */
export async function postgresTime(db: Db): Promise<number> {
  const { rows } = await sql<{ ms: unknown }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db);
  return Number(rows[0]?.ms);
}

/** When the youngest request of the request log was noted; null when it is empty. */
export async function lastRequestAt(db: Db): Promise<number | null> {
  const row = await db.selectFrom('request_log').select('at').orderBy('id', 'desc').limit(sql.lit(1)).executeTakeFirst();
  return row?.at ?? null;
}

/** Whether any number's credentials are stored. */
export async function hasCredentials(db: Db): Promise<boolean> {
  return (await db.selectFrom('credentials').select('instance_id').limit(sql.lit(1)).executeTakeFirst()) !== undefined;
}
