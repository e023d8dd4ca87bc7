import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { OpenOptions, Store } from './store.ts';

/** Of the settings, what says where the store is. */
interface StoreSettings {
  /** null: the embedded one in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  readonly durability: 'full' | 'normal';
}

/** Opens the store the settings name. What is not used is not loaded: it would cost memory and time at every start. */
export async function openStore(settings: StoreSettings, options: OpenOptions = {}): Promise<Store> {
  const { databaseUrl, dataDir, durability } = settings;
  if (databaseUrl === null) return openSqliteStore(dataDir, { ...options, durability });
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore(databaseUrl, options);
}
