import { sql } from 'kysely';
import { lastingRestrictions } from '../networks/index.ts';
import type { Db } from '../store/index.ts';

/** PostgreSQL's version as a number, 170002 for 17.2. */
export async function postgresVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db);
  return Number(rows[0]?.version);
}

/** When the youngest request of the request log was noted; null when it is empty. */
export async function lastRequestAt(db: Db): Promise<number | null> {
  const row = await db.selectFrom('requests').select('at').orderBy('id', 'desc').limit(sql.lit(1)).executeTakeFirst();
  return row?.at ?? null;
}

/** Whether any number's credentials are stored. */
export async function hasCredentials(db: Db): Promise<boolean> {
  return (await db.selectFrom('credentials').select('instance_id').limit(sql.lit(1)).executeTakeFirst()) !== undefined;
}

/** How many linked numbers lost their connection before this moment and have not come back, and when the first of them did. */
export async function lostConnections(db: Db, before: number): Promise<{ readonly count: number; readonly since: number | null }> {
  const row = await db
    .selectFrom('number_history')
    .innerJoin('instances', 'instances.id', 'number_history.instance_id')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('number_history.last_at').as('since')])
    // The conditions of the index of lasting interruptions.
    .where(sql<boolean>`number_history.event = 'lost' and number_history.ended_at is null`)
    .where('number_history.last_at', '<', before)
    .where('instances.linked', '=', 1)
    .where((eb) => eb.or([eb('restriction_reason', 'is', null), eb('restriction_reason', 'not in', lastingRestrictions)]))
    .executeTakeFirst();
  return { count: row?.count ?? 0, since: row?.since ?? null };
}
