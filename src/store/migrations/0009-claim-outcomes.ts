import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/**
 * What the network said of an accepted send, instead of the whole result: the rest of it is in the request that asks again. A row that does
 * not grow when its send is accepted stays in its page.
 */
export function claimOutcomes(dialect: Dialect) {
  const said = sql.raw(dialect === 'sqlite' ? `result ->> 'provider_status'` : `result::json ->> 'provider_status'`);

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('claims').addColumn('provider_status', 'text').execute();
      await sql`update claims set provider_status = ${said}, owner = '' where state = 'accepted'`.execute(db);
      await db.schema.alterTable('claims').dropColumn('result').execute();
    },
  };
}
