import { type Config, readConfig } from '../config/index.ts';
import type { Store } from '../store/index.ts';
import type { Run } from './world.ts';

/** Reads the settings, opens the store, does the work and closes the store again, whatever happens. */
export async function withStore<T>(run: Run, work: (store: Store, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig(run.world.env);
  const store = await run.world.openStore(config);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}
