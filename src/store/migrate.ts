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
import { numberHistory } from './migrations/0018-number-history.ts';
import { alerts } from './migrations/0019-alerts.ts';
import { listOrders } from './migrations/0020-list-orders.ts';
import { customers } from './migrations/0022-customers.ts';
import { branding } from './migrations/0024-branding.ts';
import { requestNames } from './migrations/0025-request-names.ts';
import { alertMeasures } from './migrations/0027-alert-measures.ts';
import { chatBudgets } from './migrations/0029-chat-budgets.ts';
import { languages } from './migrations/0030-languages.ts';
import { messageEvents } from './migrations/0031-message-events.ts';
import { usageSums } from './migrations/0032-usage-sums.ts';
import { reservationDeadlines } from './migrations/0033-reservation-deadlines.ts';
import { nodeSettings } from './migrations/0034-node-settings.ts';
import { alertOrder } from './migrations/0035-alert-order.ts';
import { alertMails } from './migrations/0036-alert-mails.ts';
import { requests } from './migrations/0037-requests.ts';
import { usageByMonth } from './migrations/0038-usage-by-month.ts';
import { nodeAddress } from './migrations/0039-node-address.ts';
import type { Dialect, SchemaChange, SchemaChanges, SchemaState } from './store.ts';

/** The row in `meta` that names the last change which is not additive: a program must know it to work on the schema. */
const floorName = 'schema_floor';

/** Every change in order. A new one is one file and one line; a released one never changes. */
export function schemaChanges(dialect: Dialect): SchemaChanges {
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
    '0018-number-history': numberHistory,
    '0019-alerts': alerts(dialect),
    '0020-list-orders': listOrders,
    '0022-customers': customers,
    '0024-branding': branding(dialect),
    '0025-request-names': requestNames(dialect),
    '0027-alert-measures': alertMeasures,
    '0029-chat-budgets': chatBudgets,
    '0030-languages': languages,
    '0031-message-events': messageEvents(dialect),
    '0032-usage-sums': usageSums,
    '0033-reservation-deadlines': reservationDeadlines,
    '0034-node-settings': nodeSettings,
    '0035-alert-order': alertOrder,
    '0036-alert-mails': alertMails,
    '0037-requests': requests(dialect),
    '0038-usage-by-month': usageByMonth,
    '0039-node-address': nodeAddress,
  };
}

/** The tables in which Kysely notes what it has applied. */
export const migrationTables: readonly string[] = ['kysely_migration', 'kysely_migration_lock'];

/** How far the schema is. Changes nothing. Throws OperatorError when the database is too new for this program. */
export async function schemaOf<Tables>(db: Kysely<Tables>, dialect: Dialect, changes = schemaChanges(dialect)): Promise<SchemaState> {
  const known = Object.keys(changes);
  const applied = await appliedMigrations(db, dialect);
  if (applied.some((name) => !known.includes(name)) && !known.includes(await floorOf(db))) throw madeByNewer();
  const pending = known.filter((name) => !applied.includes(name));
  return { applied, newest: known.at(-1) ?? '', pending, additive: pending.every((name) => changes[name]?.additive === true) };
}

/**
 * Brings the schema up to date, wholly or not at all. To be called only by the process that holds the server's lock, or shares it when the pending
 * changes are additive: an older server must never find the schema changed in another way under it. Throws OperatorError when the database is too
 * new for this program.
 */
export async function migrate<Tables>(db: Kysely<Tables>, dialect: Dialect, changes = schemaChanges(dialect)): Promise<void> {
  if ((await schemaOf(db, dialect, changes)).pending.length === 0) return;
  const migrations: Record<string, Migration> = {};
  let floor = '';
  for (const [name, change] of Object.entries(changes)) {
    if (change.additive !== true) floor = name;
    migrations[name] = notingFloor(change, floor);
  }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/** The change, which also notes what a program must know from now on. */
function notingFloor({ up }: SchemaChange, floor: string): Migration {
  return {
    async up(db) {
      await up(db);
      await sql`insert into meta (name, value) values (${floorName}, ${floor}) on conflict (name) do update set value = excluded.value`.execute(
        db,
      );
    },
  };
}

/** Empty for a database whose last change was made before this was noted. */
async function floorOf<Tables>(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ value: string }>`select value from meta where name = ${floorName}`.execute(db);
  return rows[0]?.value ?? '';
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
