import { afterAll, beforeAll } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { rounds } from '../support/run-options.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround } from './stores.ts';
import { describeFaults } from './three-servers.ts';
import { auditLinks, auditPhones, auditWhatsApp } from './whatsapp-audit.ts';
import { people, whatsappLoad } from './whatsapp-load.ts';
import { linkByScan, whatsappSettings } from './whatsapp-numbers.ts';

const recipients = people(40);
const networkAwayMs = rounds({ short: 3_000, long: 60_000 });

const random = createSeeded(chosenSeed());
let network: WhatsAppServer;
beforeAll(async () => {
  network = await startWhatsAppServer();
});
afterAll(() => network.close());

describeFaults('WhatsApp numbers of three servers', {
  ground: () => createGround('postgres'),
  random,
  env: () => whatsappSettings(network),
  numbers: rounds({ short: 6, long: 100 }),
  customers: 8,
  amount: { burst: rounds({ short: 50, long: 100 }), perSecond: 10 },
  redisAwayMs: rounds({ short: 3_000, long: 10_000 }),
  link: (client, accounts) => linkByScan(client, network, accounts, 4),
  load: (senders, pace) => whatsappLoad({ random, senders, recipients, pace }),
  faults: {
    'a server is cut off from WhatsApp': ({ nodes, any }) => nodes.cutOff('whatsapp', [any()], networkAwayMs),
  },
  audit: async (_store, senders, sends) => [
    ...(await auditPhones(network, { senders, sends, recipients })),
    ...auditLinks(network, senders),
  ],
  finalAudit: (store, senders, sends) => auditWhatsApp(network, store, { senders, sends, recipients }),
  fewestSends: 100,
});
