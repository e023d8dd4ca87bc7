import { type Kysely, sql } from 'kysely';

/**
 * How many chats the network lets a number start in a cycle, and how many it has started; null: the network has not told. A block on starting
 * chats that was stored before is forgotten: the network is asked for it at the next login, and its end is followed from then on.
 */
export const newChats = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema.alterTable('instances').addColumn('new_chats_used', 'integer').execute();
    await db.schema.alterTable('instances').addColumn('new_chats_quota', 'integer').execute();
    await db.schema.alterTable('instances').addColumn('new_chats_cycle_ends_at', 'bigint').execute();
    await sql`update instances set restriction_reason = null, restriction_until = null where restriction_reason = 'reach_out_blocked'`.execute(
      db,
    );
  },
};
