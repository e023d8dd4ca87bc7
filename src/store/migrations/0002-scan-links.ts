import { sql } from 'kysely';
import type { SchemaChange } from '../store.ts';

/** Links by which whoever holds a phone links one number with it. */
export const scanLinks: SchemaChange = {
  additive: true,
  async up(db) {
    await sql`create table scan_links (
      id text primary key not null,
      token_hash text not null unique,
      -- It refers to nothing, so that a link can say that its number was deleted.
      instance_id text not null,
      maker_id text,
      expires_at bigint not null,
      used_at bigint
    )`.execute(db);
    await sql`create index scan_links_instance on scan_links (instance_id)`.execute(db);
  },
};
