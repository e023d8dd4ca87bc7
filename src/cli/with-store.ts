import { type Config, readConfig } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import type { Run } from './environment.ts';

/**
 * Reads the settings, opens the store, does the work and closes the store again, whatever happens. Throws OperatorError when there is no
 * database, or its schema is not this program's: that is brought up to date by a server alone, since one of an older version may be running.
 */
export async function withStore<T>(run: Run, work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  return withOpen(run, { create: false }, async (store, config) => {
    await requireCurrent(store);
    return work(store, config);
  });
}

/** Like `withStore`, but makes the database when there is none yet. */
export async function withNewStore<T>(run: Run, work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  return withOpen(run, { create: true }, async (store, config) => {
    if ((await store.schema()).applied.length === 0) await store.migrate();
    await requireCurrent(store);
    return work(store, config);
  });
}

async function withOpen<T>(run: Run, options: { create: boolean }, work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(run.environment.env);
  const store = await run.environment.openStore(config, options);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

async function requireCurrent(store: Store): Promise<void> {
  const { applied, pending } = await store.schema();
  if (applied.length === 0) throw new OperatorError('the database is empty; make its tables with gateway serve or gateway account create');
  if (pending.length > 0) {
    throw new OperatorError(
      'the database was last used by an older version of the gateway; start the server of this version (gateway serve), which brings it up to date, and try again',
    );
  }
}
