import type { Config } from './config/index.ts';
import type { OpenOptions, Store } from './store/index.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';

/** Opens the store the settings name. What is not used is not loaded: it would cost memory and time at every start. */
export async function openStore(config: Config, options: OpenOptions = {}): Promise<Store> {
  if (config.databaseUrl === null) return openSqliteStore(config.dataDir, { ...options, durability: config.durability });
  const { openPostgresStore } = await import('./store/postgres/postgres-store.ts');
  return openPostgresStore(config.databaseUrl, options);
}
