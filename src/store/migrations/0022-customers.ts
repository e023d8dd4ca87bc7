import type { Kysely } from 'kysely';

/** What a reseller keeps of her customers: a plan for new ones, a note, and her own name for each. */
export const customers = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    // null: the installation's, which is a row in `meta`.
    await db.schema.alterTable('providers').addColumn('default_plan_id', 'text').execute();
    await db.schema
      .createTable('account_notes')
      .addColumn('account_id', 'text', (c) => c.primaryKey().notNull().references('accounts.id'))
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('written_at', 'bigint', (c) => c.notNull())
      .addColumn('written_by', 'text')
      .execute();
    await db.schema
      .createTable('account_references')
      .addColumn('provider_id', 'text', (c) => c.notNull().references('providers.id'))
      .addColumn('reference', 'text', (c) => c.notNull())
      .addColumn('account_id', 'text', (c) => c.notNull().unique().references('accounts.id'))
      .addPrimaryKeyConstraint('account_references_pk', ['provider_id', 'reference'])
      .execute();
  },
};
