import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/**
 * One-time links know the person who made them, and whether anybody but the mailbox saw them.
 *
 * Unused links from before: the audit log says who made an invitation. Links whose maker it does not name end, so that none outlives an
 * authority nobody can check any more; that includes every link to a new password, which lasts two hours at most.
 *
 * Every person was noted as having a verified address so far, though nobody had ever looked.
 */
export function linkMakers(dialect: Dialect) {
  const no = sql.raw(dialect === 'sqlite' ? '0' : 'false');

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      // null: the command line or the gateway itself. A removed person's links go with them.
      await db.schema
        .alterTable('one_time_links')
        .addColumn('maker_id', 'text', (c) => c.references('users.id').onDelete('cascade'))
        .execute();
      await db.schema
        .alterTable('one_time_links')
        .addColumn('shown', 'integer', (c) => c.notNull().defaultTo(1))
        .execute();
      await sql`update one_time_links set maker_id =
        (select users.id from audit_log join users on users.id = audit_log.actor_id
          where audit_log.action = 'user.invite' and audit_log.target_id = one_time_links.id and audit_log.actor_kind = 'user')
        where used_at is null`.execute(db);
      await sql`update one_time_links set used_at = created_at
        where used_at is null and maker_id is null and purpose <> 'first_operator' and not exists
          (select 1 from audit_log where action = 'user.invite' and target_id = one_time_links.id and actor_kind <> 'user')`.execute(db);
      await sql`update users set email_verified = ${no}`.execute(db);
    },
  };
}
