import { type Kysely, type Migration, Migrator } from 'kysely';
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
  };
}

/** Brings the schema up to date; each migration is applied wholly or not at all. Throws OperatorError when the database is newer than this program. */
export async function migrate<Tables>(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations(dialect) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (error instanceof Error && /previously executed migration .* is missing/i.test(error.message)) {
    throw new OperatorError('the database was made by a newer version of the gateway; install that version or restore a backup');
  }
  throw error;
}
