import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../store.ts';

/** Alerts: what is wrong (`alerts`), who is told (`alert_targets`), what is still to be told (`alert_notices`), and what was sent (`alert_deliveries`). */
export function alerts(dialect: Dialect) {
  const bytes = sql.raw(dialect === 'sqlite' ? 'blob' : 'bytea');

  return {
    additive: true as const,

    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('alert_targets')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('account_id', 'text', (c) => c.references('accounts.id'))
        .addColumn('provider_id', 'text', (c) => c.references('providers.id'))
        .addColumn('kind', 'text', (c) => c.notNull())
        .addColumn('address', 'text', (c) => c.notNull())
        .addColumn('secret', bytes)
        .addColumn('previous_secret', bytes)
        .addColumn('previous_until', 'bigint')
        .addColumn('conditions', 'text', (c) => c.notNull())
        .addColumn('quiet_from', 'integer')
        .addColumn('quiet_to', 'integer')
        .addColumn('time_zone', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .execute();
      await db.schema
        .createTable('alerts')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('condition', 'text', (c) => c.notNull())
        .addColumn('subject_id', 'text', (c) => c.notNull())
        .addColumn('account_id', 'text', (c) => c.notNull())
        .addColumn('provider_id', 'text', (c) => c.notNull())
        .addColumn('reason', 'text')
        .addColumn('until', 'bigint')
        .addColumn('began_at', 'bigint', (c) => c.notNull())
        .addColumn('ended_at', 'bigint')
        .execute();
      // What lasts is one alert, whoever looks.
      await db.schema
        .createIndex('alerts_lasting')
        .unique()
        .on('alerts')
        .columns(['condition', 'subject_id'])
        .where(sql<boolean>`ended_at is null`)
        .execute();
      await db.schema
        .createTable('alert_notices')
        .addColumn('target_id', 'text', (c) => c.notNull().references('alert_targets.id').onDelete('cascade'))
        .addColumn('alert_id', 'text', (c) => c.notNull())
        .addColumn('phase', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('alert_notices_pk', ['target_id', 'alert_id', 'phase'])
        .execute();
      await db.schema
        .createTable('alert_deliveries')
        .addColumn('id', 'text', (c) => c.primaryKey().notNull())
        .addColumn('target_id', 'text', (c) => c.notNull().references('alert_targets.id').onDelete('cascade'))
        .addColumn('body', 'text', (c) => c.notNull())
        .addColumn('at', 'bigint', (c) => c.notNull())
        .addColumn('attempts', 'integer', (c) => c.notNull())
        .addColumn('next_at', 'bigint')
        .addColumn('state', 'text', (c) => c.notNull())
        .addColumn('outcome', 'text')
        .addColumn('ended_at', 'bigint')
        .execute();
      await db.schema.createIndex('alert_deliveries_target').on('alert_deliveries').columns(['target_id', 'id']).execute();
      await db.schema
        .createIndex('alert_deliveries_waiting')
        .on('alert_deliveries')
        .columns(['target_id', 'id'])
        .where(sql<boolean>`state = 'waiting'`)
        .execute();
    },
  };
}
