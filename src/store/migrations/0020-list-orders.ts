import { type Kysely, type RawBuilder, sql } from 'kysely';

/**
 * The orders and filters of the portal's lists (accounts/lists), so that a page is read from an index and not sorted out of all rows. The
 * expressions must be those of the lists, letter for letter.
 */
export const listOrders = {
  async up(db: Kysely<unknown>): Promise<void> {
    const index = (name: string, table: string, columns: RawBuilder<unknown>) =>
      db.schema.createIndex(name).on(table).expression(columns).execute();
    await index('accounts_created', 'accounts', sql`created_at, id`);
    await index('accounts_name', 'accounts', sql`lower(name), id`);
    await index('accounts_plan', 'accounts', sql`plan_id`);
    await index('instances_created', 'instances', sql`created_at, id`);
    await index('instances_label', 'instances', sql`coalesce(lower(label), ''), id`);
    await index('instances_phone_number', 'instances', sql`coalesce(phone_number, ''), id`);
    await index('users_name', 'users', sql`lower(name), id`);
    await index('memberships_role', 'memberships', sql`role, user_id`);
    await index('audit_log_action', 'audit_log', sql`action, id`);
    await index('audit_log_actor', 'audit_log', sql`actor_name, id`);
    await index('audit_log_at', 'audit_log', sql`at`);
    // Few numbers are restricted, and few need a person.
    await db.schema
      .createIndex('instances_restricted')
      .on('instances')
      .column('restriction_reason')
      .where(sql<boolean>`restriction_reason is not null`)
      .execute();
  },
};
