import type { Kysely } from 'kysely';

/**
 * A number's own budget of new chats: what its owner set (`instances.chat_budget`), how much of it is used on which day, since when the number
 * is linked, and the chats that it began while it had a budget.
 */
export const chatBudgets = {
  additive: true as const,

  async up(db: Kysely<unknown>): Promise<void> {
    // One column at a time: SQLite takes no more.
    await db.schema.alterTable('instances').addColumn('chat_budget', 'text').execute();
    await db.schema.alterTable('instances').addColumn('chat_budget_day', 'text').execute();
    await db.schema
      .alterTable('instances')
      .addColumn('chat_budget_used', 'integer', (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable('instances').addColumn('linked_at', 'bigint').execute();
    await db.schema
      .createTable('new_chats')
      .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id').onDelete('cascade'))
      .addColumn('contact', 'text', (c) => c.notNull())
      .addColumn('day', 'text', (c) => c.notNull())
      .addColumn('holders', 'integer', (c) => c.notNull())
      .addColumn('settled', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('new_chats_pk', ['instance_id', 'contact'])
      .execute();
  },
};
