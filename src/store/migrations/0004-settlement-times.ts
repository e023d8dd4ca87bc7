import { sql } from 'kysely';
import type { Dialect, SchemaChange } from '../store.ts';

/** Several servers keep the settlements of a day; one is looked for among those of its time. The embedded store keeps those of minutes. */
export function settlementTimes(dialect: Dialect): SchemaChange {
  return {
    additive: true,
    async up(db) {
      if (dialect === 'postgres') await sql`create index settlements_at on settlements (at)`.execute(db);
    },
  };
}
