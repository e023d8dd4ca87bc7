import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { OperatorError } from '../core/index.ts';
import { initial } from './migrations/0001-initial.ts';
import { builtInPlans } from './migrations/0002-built-in-plans.ts';
import { restrictions } from './migrations/0003-restrictions.ts';
import { auditLog } from './migrations/0004-audit-log.ts';
import { requestLogAccount } from './migrations/0005-request-log-account.ts';
import { sandboxFiles } from './migrations/0006-sandbox-files.ts';
import { users } from './migrations/0007-users.ts';
import { requestLogRuns } from './migrations/0008-request-log-runs.ts';
import { claimOutcomes } from './migrations/0009-claim-outcomes.ts';
import { debts } from './migrations/0010-debts.ts';
import { linkMakers } from './migrations/0011-link-makers.ts';
import { suspendedBy } from './migrations/0012-suspended-by.ts';
import { clientVersions } from './migrations/0013-client-versions.ts';
import { newChats } from './migrations/0014-new-chats.ts';
import { sentMessages } from './migrations/0015-sent-messages.ts';
import { proxies } from './migrations/0016-proxies.ts';
import { leases } from './migrations/0017-leases.ts';
import type { Dialect } from './store.ts';

/** Every migration in order. A new one is one file and one line; a released one never changes. */
function migrations(dialect: Dialect): Record<string, Migration> {
  return {
    '0001-initial': initial(dialect),
    '0002-built-in-plans': builtInPlans,
    '0003-restrictions': restrictions,
    '0004-audit-log': auditLog(dialect),
    '0005-request-log-account': requestLogAccount,
    '0006-sandbox-files': sandboxFiles(dialect),
    '0007-users': users(dialect),
    '0008-request-log-runs': requestLogRuns,
    '0009-claim-outcomes': claimOutcomes(dialect),
    '0010-debts': debts(dialect),
    '0011-link-makers': linkMakers(dialect),
    '0012-suspended-by': suspendedBy,
    '0013-client-versions': clientVersions,
    '0014-new-chats': newChats,
    '0015-sent-messages': sentMessages(dialect),
    '0016-proxies': proxies(dialect),
    '0017-leases': leases,
  };
}

/** The tables in which Kysely notes what it has applied. */
export const migrationTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** How far a database's schema is, by the names of the migrations, oldest first. */
export interface SchemaState {
  /** None in an empty database. */
  readonly applied: readonly string[];
  /** Those that this program has and the database lacks. */
  readonly pending: readonly string[];
}

/** How far the schema is. Changes nothing. Throws OperatorError when the database is newer than this program. */
export async function schemaOf<Tables>(db: Kysely<Tables>, dialect: Dialect): Promise<SchemaState> {
  const known = Object.keys(migrations(dialect));
  const applied = await appliedMigrations(db, dialect);
  if (applied.some((name) => !known.includes(name))) throw madeByNewer();
  return { applied, pending: known.filter((name) => !applied.includes(name)) };
}

/**
 * Brings the schema up to date, wholly or not at all. To be called only by the process that holds the server's lock: an older server must
 * never find the schema changed under it. Throws OperatorError when the database is newer than this program.
 */
export async function migrate<Tables>(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  if ((await schemaOf(db, dialect)).pending.length === 0) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(dialect) } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function appliedMigrations<Tables>(db: Kysely<Tables>, dialect: Dialect): Promise<string[]> {
  const table =
    dialect === 'sqlite'
      ? sql`select name from sqlite_master where name = 'kysely_migration'`
      : sql`select 1 where to_regclass('kysely_migration') is not null`;
  if ((await table.execute(db)).rows.length === 0) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return rows.map((row) => row.name);
}

function madeByNewer(): OperatorError {
  return new OperatorError('the database was made by a newer version of the gateway; install that version or restore a backup');
}
