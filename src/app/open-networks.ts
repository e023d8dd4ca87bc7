import type { Network, NetworkName, SandboxPhones } from '../networks/index.ts';
import { createClientVersions } from '../store/index.ts';
import type { Stored } from './storage.ts';

/** Opens the networks that the settings name. What is not used is not loaded: it would cost memory and time at every start. */
export async function openNetworks({ config, overrides, shutdown, store, clock, log, time }: Stored) {
  const networks = new Map<NetworkName, Network>();
  /** null when the sandbox is not enabled. */
  let sandbox: SandboxPhones | null = null;
  const opened = (network: Network) => {
    networks.set(network.name, network);
    shutdown.add(() => network.close());
  };
  if (overrides.networks !== undefined) {
    for (const network of overrides.networks(store)) opened(network);
    return { networks, sandbox };
  }
  for (const name of config.networks) {
    switch (name) {
      case 'sandbox': {
        const { createSandboxNetwork } = await import('../networks/sandbox/sandbox-network.ts');
        const { db, transaction, deliverToSandbox } = store;
        const network = createSandboxNetwork({ db, transaction, deliverToSandbox, clock, time, log });
        opened(network);
        sandbox = network;
        break;
      }
      case 'whatsapp': {
        const { createWhatsAppNetwork } = await import('../networks/whatsapp/whatsapp-network.ts');
        opened(createWhatsAppNetwork({ clock, log, ...config.whatsapp, versions: createClientVersions(store.db, name) }));
        break;
      }
    }
  }
  return { networks, sandbox };
}
