import { join } from 'node:path';
import type { Config } from '../config/index.ts';
import { type Log, OperatorError, systemClock, type Vault } from '../core/index.ts';
import { releaseWrite, settlementWrite } from '../messages/index.ts';
import type { Metrics } from '../metrics/index.ts';
import { Outbox } from '../outbox/index.ts';
import { opensCredentials } from '../sessions/index.ts';
import { openAgeTime, openStore, type Store, watchClock } from '../store/index.ts';
import { createRetention } from '../store/retention.ts';
import { lockDataFolder } from '../store/sqlite/server-lock.ts';
import { numberDayWrite } from '../usage/index.ts';
import { followKeys, hasSecretKey, openVault, readSecretKey } from '../vault/index.ts';
import type { Base } from './base.ts';

export type Stored = Awaited<ReturnType<typeof openStorage>>;

/** Adds the store, the keys that open what it keeps, its time, and the work that it needs now and then. */
export async function openStorage(base: Base & { readonly metrics: Metrics | null }) {
  const { config, overrides, clock, wall, log, connections, shutdown } = base;
  const store = await openStore(config, {
    create: true,
    log,
    onBatch: base.metrics?.onBatch,
    changes: overrides.schemaChanges?.(config.databaseUrl === null ? 'sqlite' : 'postgres'),
  });
  shutdown.add(() => store.close());
  shutdown.add(() => connections.workEnded());
  await store.becomeServer({ shared: config.redisUrl !== null });
  if (store.dialect !== 'sqlite') {
    // The embedded store holds its folder itself. Temporary files that are there at a start would be removed although another server needs them.
    const folder = lockDataFolder(config.dataDir);
    shutdown.add(async () => folder.release());
  }
  store.onLost((reason) => base.fail(new OperatorError(reason)));

  const vault = await openServersVault(store.db, config, log);
  const newKeys = followKeys(vault, { clock: overrides.keyClock ?? systemClock, log });
  shutdown.add(() => newKeys.stop());
  if (wall !== null) {
    const watch = watchClock({ store, wall, clock: systemClock, log });
    shutdown.add(() => watch.stop());
  }
  const time = await openAgeTime(store, clock);
  const now = store.now === null ? () => clock.now() : () => time.now();
  const outbox = new Outbox({ store, clock, now, log, kinds: [settlementWrite, releaseWrite, numberDayWrite] });
  shutdown.add(() => outbox.stop());
  outbox.start();
  const keepSentMs = config.whatsapp.retryKeepHours * 60 * 60 * 1000;
  const retention = createRetention({
    ...{ db: store.db, dialect: store.dialect, clock, time, keepSentMs, log },
    recorded: () => outbox.recorded(),
  });
  shutdown.add(() => retention.stop());
  return { ...base, store, vault, time, outbox };
}

/**
 * The vault of a server. Throws OperatorError when the secret key is gone that linked numbers need: a new one would open none of them. With another
 * key the server starts, since some numbers may be linked anew, and the log says so.
 */
async function openServersVault(db: Store['db'], config: Config, log: Pick<Log, 'warn' | 'error'>): Promise<Vault> {
  if (!hasSecretKey(config) && (await opensCredentials(db, null)) === false) {
    throw new OperatorError(
      `${join(config.dataDir, 'secret.key')} is missing, and only it decrypts the credentials of linked numbers: put it back from your backup. If it is lost for good, set SECRET_KEY to a new key; those numbers must then be disconnected and scanned again`,
    );
  }
  const vault = await openVault(db, readSecretKey(config), log);
  if ((await opensCredentials(db, vault)) === false) {
    log.error(
      {},
      'the credentials of linked numbers are encrypted with another secret key: give the server that key, and they connect again without a scan',
    );
  }
  return vault;
}
