import { type Kysely, sql } from 'kysely';

/**
 * Who suspended an account. Of accounts that are suspended already nobody knows, so they count as suspended by an operator, who can
 * undo every suspension.
 *
 * Browsers that were trusted to sign in without a two-factor code, which nothing on the pages ever offered, are trusted no more.
 */
export const suspendedBy = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('accounts').addColumn('suspended_by', 'text').execute();
    await sql`update accounts set suspended_by = 'operator' where status = 'suspended'`.execute(db);
    // Attempts to sign in are bounded like every other request, in memory.
    await db.schema.dropTable('user_sign_in_limits').execute();
    await sql`delete from user_verifications where identifier like 'trust-device-%'`.execute(db);
  },
};
