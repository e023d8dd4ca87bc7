import type { Kysely } from 'kysely';

/** The language that a person chose; null until then. */
export const languages = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('users').addColumn('language', 'text').execute();
  },
};
