import pg from 'pg';
import type { Ground } from './stores.ts';

/** How long a transaction is looked for. */
const patienceMs = 20_000;
const others = 'datname = current_database() and pid <> pg_backend_pid()';

/** Ends every connection to the database, as soon as one of them has a transaction open and waits for its next statement. */
export async function breakConnections({ database }: Ground): Promise<void> {
  const admin = new pg.Client({ connectionString: database.location });
  await admin.connect();
  try {
    const giveUpAt = Date.now() + patienceMs;
    let hit = false;
    while (!hit) {
      if (Date.now() > giveUpAt) throw new Error('no transaction was open');
      const { rowCount } = await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where ${others} and state = 'idle in transaction'`,
      );
      hit = (rowCount ?? 0) > 0;
    }
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${others}`);
  } finally {
    await admin.end();
  }
}
