import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** The first schema: accounts, instances, idempotency, usage, request log, sandbox. */
export function initial(dialect: Dialect) {
  const blob = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');
  const sequence = sql.raw(dialect === 'sqlite' ? 'integer primary key' : 'bigint generated always as identity primary key');

  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const table = (name: string) => db.schema.createTable(name);

      await table('meta')
        .addColumn('name', 'text', (c) => c.primaryKey())
        .addColumn('value', 'text', (c) => c.notNull())
        .execute();

      await table('providers')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('number_capacity', 'integer')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();

      await table('plans')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull().unique())
        .addColumn('messages_per_minute', 'integer', (c) => c.notNull())
        .addColumn('instance_limit', 'integer', (c) => c.notNull())
        .addColumn('trial_message_limit', 'integer')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();

      await table('accounts')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('provider_id', 'text', (c) => c.notNull().references('providers.id'))
        .addColumn('status', 'text', (c) => c.notNull())
        .addColumn('plan_id', 'text', (c) => c.references('plans.id'))
        .addColumn('plan_starts_at', 'bigint')
        .addColumn('plan_ends_at', 'bigint')
        .addColumn('access_ends_at', 'bigint')
        .addColumn('instance_limit', 'integer')
        .addColumn('operator', 'integer', (c) => c.notNull())
        .addColumn('free_slots', 'integer')
        .addColumn('trial_used', 'integer', (c) => c.notNull().defaultTo(0))
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('accounts_provider').on('accounts').column('provider_id').execute();

      await table('api_keys')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
        .addColumn('prefix', 'text', (c) => c.notNull())
        .addColumn('label', 'text')
        .addColumn('hash', 'text', (c) => c.notNull().unique())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('last_used_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .addColumn('expires_at', 'bigint')
        .execute();
      await db.schema.createIndex('api_keys_account').on('api_keys').column('account_id').execute();

      await table('instances')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
        .addColumn('network', 'text', (c) => c.notNull())
        .addColumn('label', 'text')
        .addColumn('phone_number', 'text')
        .addColumn('linked', 'integer', (c) => c.notNull())
        .addColumn('conflict', 'integer', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('instances_account').on('instances').column('account_id').execute();

      await table('credentials')
        .addColumn('instance_id', 'text', (c) => c.notNull().references('instances.id').onDelete('cascade'))
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('sealed', blob, (c) => c.notNull())
        .addPrimaryKeyConstraint('credentials_pk', ['instance_id', 'name'])
        .execute();

      await table('claims')
        .addColumn('id', sequence)
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('key', 'text', (c) => c.notNull())
        .addColumn('fingerprint', 'text', (c) => c.notNull())
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('result', 'text')
        .addColumn('owner', 'text', (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('claims_account_key').unique().on('claims').columns(['account_id', 'key']).execute();

      await table('trial_reservations')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('trial_reservations_account').on('trial_reservations').column('account_id').execute();

      await table('usage_sends')
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('count', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('usage_sends_pk', ['account_id', 'day', 'type'])
        .execute();

      await table('usage_number_days')
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('day', 'text', (c) => c.notNull())
        .addColumn('phone_number', 'text', (c) => c.notNull())
        .addPrimaryKeyConstraint('usage_number_days_pk', ['account_id', 'day', 'phone_number'])
        .execute();

      await table('request_log')
        .addColumn('id', sequence)
        .addColumn('account_id', 'text')
        .addColumn('first_request_id', 'text', (c) => c.notNull())
        .addColumn('last_request_id', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('records', 'text', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('request_log_last').on('request_log').columns(['last_request_id', 'first_request_id']).execute();

      await table('sandbox_devices')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('instance_id', 'text', (c) => c.notNull())
        .addColumn('phone_number', 'text', (c) => c.notNull())
        .addColumn('linked_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema.createIndex('sandbox_devices_phone').on('sandbox_devices').columns(['account_id', 'phone_number']).execute();

      await table('sandbox_messages')
        .addColumn('id', sequence)
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('message_id', 'text', (c) => c.notNull())
        .addColumn('from_number', 'text', (c) => c.notNull())
        .addColumn('to_number', 'text', (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('content', 'text', (c) => c.notNull())
        .addColumn('quoted', 'text')
        .addColumn('received_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createIndex('sandbox_messages_contact')
        .unique()
        .on('sandbox_messages')
        .columns(['account_id', 'to_number', 'message_id'])
        .execute();
    },
  };
}
