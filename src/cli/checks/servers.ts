import type { Config } from '../../config/index.ts';
import { createHttpTransport, createPeerKeys, Peers, reachPeer, sharedTime } from '../../coordination/index.ts';
import { isRefusal, systemClock, type Vault } from '../../core/index.ts';
import { type Finding, fail, servers as look, reason, warn } from '../../health/index.ts';
import { openAgeTime, type Store } from '../../store/index.ts';
import { hasSecretKey, openVault, readSecretKey } from '../../vault/index.ts';

/** Whether each server of the installation can be reached from this machine, as the others reach it. */
export async function servers(store: Store, config: Config): Promise<Finding[]> {
  const { leases, db } = store;
  if (config.redisUrl === null || leases === null) return [];
  // Reading it would make one, and a look should change nothing.
  if (!hasSecretKey(config)) {
    return [
      warn('servers', 'cannot be asked without the secret key of the installation', 'set SECRET_KEY to the value that the servers have'),
    ];
  }
  let vault: Vault;
  try {
    vault = await openVault(db, readSecretKey(config));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return [fail('secret key', reason(error), 'set SECRET_KEY to the value that the servers have')];
  }
  const keys = createPeerKeys(vault, systemClock);
  const way = createHttpTransport({
    keys,
    certFile: config.tls?.certFile ?? null,
    time: sharedTime(await openAgeTime(store, systemClock), systemClock),
  });
  const peers = new Peers({ transport: way.transport, clock: systemClock, living: async () => [] });
  try {
    return await look({ others: () => leases.nodes(), reach: (server) => reachPeer(peers, server) });
  } finally {
    await way.close();
  }
}
