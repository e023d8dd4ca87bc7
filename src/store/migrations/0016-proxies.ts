import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** `instances.proxy`: the proxy that a number connects through, sealed, because its address holds a password; null: none. */
export function proxies(dialect: Dialect) {
  const blob = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('instances').addColumn('proxy', blob).execute();
      await db.schema.createIndex('instances_proxy').on('instances').column('id').where(sql.ref('proxy'), 'is not', null).execute();
    },
  };
}
