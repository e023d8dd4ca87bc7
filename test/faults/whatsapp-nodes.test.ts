import { expect, it } from 'vitest';
import { startWhatsAppServer } from 'whatsapp-test-server';
import { rounds } from '../support/run-options.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround } from './stores.ts';
import { sufferFaults } from './three-servers.ts';
import { auditLinks, auditPhones, auditWhatsApp } from './whatsapp-audit.ts';
import { people, whatsappLoad } from './whatsapp-load.ts';
import { linkByScan, whatsappSettings } from './whatsapp-numbers.ts';

const recipients = people(40);
const networkAwayMs = rounds({ short: 3_000, long: 60_000 });

it('WhatsApp numbers of three servers: each key shows one message and no number is scanned again when one is killed, halted, replaced or cut off', {
  timeout: rounds({ short: 300_000, long: 3_600_000 }),
}, async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround('postgres');
  const network = await startWhatsAppServer();
  try {
    const { wrong, sends } = await sufferFaults({
      ground,
      random,
      env: whatsappSettings(network),
      numbers: rounds({ short: 6, long: 100 }),
      customers: 8,
      amount: { burst: rounds({ short: 50, long: 100 }), perSecond: 10 },
      redisAwayMs: rounds({ short: 3_000, long: 10_000 }),
      link: (client, accounts) => linkByScan(client, network, accounts, 4),
      load: (senders, pace) => whatsappLoad({ random, senders, recipients, pace }),
      faults: ({ nodes, any }) => ({
        'a server is cut off from WhatsApp': () => nodes.cutOff('whatsapp', [any()], networkAwayMs),
      }),
      audit: async (_store, senders, all) => [
        ...(await auditPhones(network, { senders, sends: all, recipients })),
        ...auditLinks(network, senders),
      ],
      finalAudit: (store, senders, all) => auditWhatsApp(network, store, { senders, sends: all, recipients }),
    });
    expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
    expect(sends).toBeGreaterThan(100);
  } finally {
    await network.close();
    await ground.dispose();
  }
});
