import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/index.ts';
import { OperatorError } from '../../core/index.ts';
import {
  droppedNumbers,
  type Finding,
  fail,
  openDatabase,
  pendingWrites,
  reason,
  warn,
  whatsappVersion,
  writing,
} from '../../health/index.ts';
import type { Store } from '../../store/index.ts';
import type { CommandEnvironment } from '../environment.ts';
import { servers } from './servers.ts';

const openMs = 15_000;

/** The database: reachable, and what is wrong with it when it is open. */
export const database = async (environment: CommandEnvironment, config: Config): Promise<Finding[]> => {
  // Opening would make it, and a look should change nothing.
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'gateway.db'))) {
    return [
      warn(
        'database',
        `there is none yet in ${config.dataDir}`,
        'nothing, if this is a new installation: it is created at the first start; otherwise set DATA_DIR',
      ),
    ];
  }
  let store: Store;
  try {
    store = await openInTime(environment, config);
  } catch (error) {
    const mend =
      config.databaseUrl === null
        ? `check that ${join(config.dataDir, 'gateway.db')} is readable and writable, or restore it from a backup`
        : 'check that PostgreSQL is running, and that the address, user and password in DATABASE_URL are right';
    return [fail('database', `cannot be opened: ${reason(error)}`, mend)];
  }
  const found: Finding[] = [];
  try {
    found.push(...(await openDatabase(environment, config, store)));
    // Without its tables there is nothing to write.
    if ((await store.schema()).pending.length > 0) return found;
    found.push(await writing(store));
    found.push(await droppedNumbers(environment, store));
    found.push(await pendingWrites(environment, store));
    found.push(...(await whatsappVersion(environment, config, store)));
    found.push(...(await servers(store, config)));
  } catch (error) {
    // It opened, and is away since; one line of that is enough.
    if (!found.some(({ check, state }) => check === 'database' && state === 'fail'))
      found.push(fail('database', `cannot be read: ${reason(error)}`, 'restore it from a backup if this persists'));
  } finally {
    await store.close();
  }
  return found;
};

async function openInTime(environment: CommandEnvironment, config: Config): Promise<Store> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = environment.clock.after(openMs, () => reject(new OperatorError(`it did not answer within ${openMs / 1000} seconds`)));
  try {
    return await Promise.race([environment.openStore(config), late]);
  } finally {
    timer.cancel();
  }
}
