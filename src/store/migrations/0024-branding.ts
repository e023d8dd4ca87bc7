import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** How each provider shows itself to its customers. */
export function branding(dialect: Dialect) {
  const bytes = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');

  return {
    additive: true as const,

    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('brands')
        .addColumn('provider_id', 'text', (c) => c.primaryKey().notNull().references('providers.id'))
        .addColumn('name', 'text')
        .addColumn('colour', 'text')
        .addColumn('sender_name', 'text')
        .addColumn('reply_to', 'text')
        .addColumn('mail_intro', 'text')
        .addColumn('mail_footer', 'text')
        .addColumn('base_address', 'text')
        // What the Host header of its requests says.
        .addColumn('base_host', 'text', (c) => c.unique())
        .addColumn('base_confirmed_at', 'bigint')
        .addColumn('logo_digest', 'text')
        .execute();
      await db.schema
        .createTable('brand_logos')
        .addColumn('provider_id', 'text', (c) => c.primaryKey().notNull().references('providers.id'))
        .addColumn('digest', 'text', (c) => c.notNull())
        .addColumn('png', bytes, (c) => c.notNull())
        .execute();
      await db.schema.createIndex('brand_logos_digest').on('brand_logos').column('digest').execute();
    },
  };
}
