import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/**
 * People who sign in at the portal. The tables `user*` are better-auth's, under our names and with its own types of times and flags
 * (portal/auth-tables.ts tells it the names); memberships and one-time links are ours.
 */
export function users(dialect: Dialect) {
  // better-auth writes ISO text on SQLite and timestamps on PostgreSQL.
  const time = sql.raw(dialect === 'sqlite' ? 'text' : 'timestamptz');
  const flag = dialect === 'sqlite' ? 'integer' : 'boolean';

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const table = (name: string) => db.schema.createTable(name).addColumn('id', 'text', (c) => c.primaryKey());
      const index = (name: string, on: string, ...columns: string[]) => db.schema.createIndex(name).on(on).columns(columns).execute();

      await table('users')
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('email', 'text', (c) => c.notNull().unique())
        .addColumn('email_verified', flag, (c) => c.notNull())
        .addColumn('image', 'text')
        .addColumn('two_factor_enabled', flag)
        .addColumn('created_at', time, (c) => c.notNull())
        .addColumn('updated_at', time, (c) => c.notNull())
        .execute();

      await table('user_sessions')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('token', 'text', (c) => c.notNull().unique())
        .addColumn('expires_at', time, (c) => c.notNull())
        .addColumn('ip_address', 'text')
        .addColumn('user_agent', 'text')
        .addColumn('created_at', time, (c) => c.notNull())
        .addColumn('updated_at', time, (c) => c.notNull())
        .execute();
      await index('user_sessions_user', 'user_sessions', 'user_id');

      await table('user_credentials')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('provider_id', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('password', 'text')
        .addColumn('access_token', 'text')
        .addColumn('refresh_token', 'text')
        .addColumn('id_token', 'text')
        .addColumn('access_token_expires_at', time)
        .addColumn('refresh_token_expires_at', time)
        .addColumn('scope', 'text')
        .addColumn('created_at', time, (c) => c.notNull())
        .addColumn('updated_at', time, (c) => c.notNull())
        .execute();
      await index('user_credentials_user', 'user_credentials', 'user_id');

      await table('user_verifications')
        .addColumn('identifier', 'text', (c) => c.notNull())
        .addColumn('value', 'text', (c) => c.notNull())
        .addColumn('expires_at', time, (c) => c.notNull())
        .addColumn('created_at', time, (c) => c.notNull())
        .addColumn('updated_at', time, (c) => c.notNull())
        .execute();
      await index('user_verifications_identifier', 'user_verifications', 'identifier');

      await table('user_two_factors')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('secret', 'text', (c) => c.notNull())
        .addColumn('backup_codes', 'text', (c) => c.notNull())
        .addColumn('verified', flag)
        .addColumn('failed_verification_count', 'integer')
        .addColumn('locked_until', time)
        .execute();
      await index('user_two_factors_user', 'user_two_factors', 'user_id');

      await table('user_sign_in_limits')
        .addColumn('key', 'text', (c) => c.notNull().unique())
        .addColumn('count', 'integer', (c) => c.notNull())
        .addColumn('last_request', 'bigint', (c) => c.notNull())
        .execute();

      await table('memberships')
        .addColumn('user_id', 'text', (c) => c.notNull().references('users.id').onDelete('cascade'))
        .addColumn('role', 'text', (c) => c.notNull())
        .addColumn('provider_id', 'text', (c) => c.references('providers.id'))
        .addColumn('account_id', 'text', (c) => c.references('accounts.id'))
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      // One role of a person in one place; null is not equal to null in a unique index, so the places are made comparable.
      await db.schema
        .createIndex('memberships_place')
        .unique()
        .on('memberships')
        .expression(sql`user_id, coalesce(provider_id, ''), coalesce(account_id, '')`)
        .execute();
      await index('memberships_account', 'memberships', 'account_id');

      await table('one_time_links')
        .addColumn('token_hash', 'text', (c) => c.notNull().unique())
        .addColumn('purpose', 'text', (c) => c.notNull())
        .addColumn('email', 'text')
        .addColumn('role', 'text')
        .addColumn('provider_id', 'text', (c) => c.references('providers.id'))
        .addColumn('account_id', 'text', (c) => c.references('accounts.id'))
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('expires_at', 'bigint', (c) => c.notNull())
        .addColumn('used_at', 'bigint')
        .execute();
      await index('one_time_links_account', 'one_time_links', 'account_id');
    },
  };
}
