import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';
import type { AgeTime, Clock } from '../core/index.ts';
import type { Network, NetworkName, SandboxPhones } from '../networks/index.ts';
import { createClientVersions, type Store } from '../store/index.ts';

interface Options {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly time: AgeTime;
  /** What tests put in the place of the networks named in the settings. */
  readonly instead: ((store: Store) => readonly Network[]) | undefined;
}

interface OpenNetworks {
  readonly networks: ReadonlyMap<NetworkName, Network>;
  /** null when the sandbox is not enabled. */
  readonly sandbox: SandboxPhones | null;
}

/** Opens the networks that the settings name. What is not used is not loaded: it would cost memory and time at every start. */
export async function openNetworks(config: Config, { store, clock, log, time, instead }: Options): Promise<OpenNetworks> {
  const networks = new Map<NetworkName, Network>();
  if (instead !== undefined) {
    for (const network of instead(store)) networks.set(network.name, network);
    return { networks, sandbox: null };
  }
  let sandbox: SandboxPhones | null = null;
  for (const name of config.networks) {
    switch (name) {
      case 'sandbox': {
        const { createSandboxNetwork } = await import('../networks/sandbox/sandbox-network.ts');
        const { db, transaction, deliverToSandbox } = store;
        const network = createSandboxNetwork({ db, transaction, deliverToSandbox, clock, time, log });
        networks.set(name, network);
        sandbox = network;
        break;
      }
      case 'whatsapp': {
        const { createWhatsAppNetwork } = await import('../networks/whatsapp/whatsapp-network.ts');
        networks.set(name, createWhatsAppNetwork({ clock, log, ...config.whatsapp, versions: createClientVersions(store.db, name) }));
        break;
      }
    }
  }
  return { networks, sandbox };
}
