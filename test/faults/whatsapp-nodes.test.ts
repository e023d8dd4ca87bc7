import { expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { startWhatsAppServer } from '../support/whatsapp-server/index.ts';
import { createSenders } from './customers.ts';
import { workOff } from './load-client.ts';
import { Nodes, underLoad } from './nodes.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround } from './stores.ts';
import { auditWhatsApp } from './whatsapp-audit.ts';
import { WhatsAppLoad } from './whatsapp-load.ts';
import { awaitOpen, linkByScan, whatsappSettings } from './whatsapp-numbers.ts';

const nodeCount = 3;
const senderCount = 6;
const recipientCount = 40;
const times = rounds({ short: 1, long: 4 });
/** Longer than a lease lasts (sessions/ownership.ts). */
const haltMs = 10_000;

it('WhatsApp numbers of three servers: each key shows one message and no number is scanned again when one is killed, halted, replaced or cut off', {
  timeout: 900_000,
}, async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround('postgres');
  const redis = await startRedis();
  const network = await startWhatsAppServer();
  const nodes = new Nodes(ground, redis, { count: nodeCount, env: whatsappSettings(network) });
  const wrong: string[] = [];
  try {
    await nodes.start();
    const store = await ground.database.open();
    const senders = await linkByScan(nodes.client, network, await createSenders(store, senderCount));
    const load = new WhatsAppLoad({ random, senders, recipients: recipientCount });
    const faults: Readonly<Record<string, () => Promise<void>>> = {
      'a server is killed': () => nodes.kill(random.below(nodeCount)),
      'a server is halted and goes on': () => nodes.halt(random.below(nodeCount), haltMs),
      'a server stops and another takes its place': () => nodes.replace(random.below(nodeCount)),
      'a server is cut off from PostgreSQL': () => nodes.cutOff('database', [random.below(nodeCount)], haltMs),
    };
    for (let time = 0; time < times; time++) {
      for (const fault of Object.values(faults)) {
        await underLoad(load.work(), { senders: 8, ask: (send) => load.ask(nodes.client, send), fault });
        await awaitOpen(nodes.client, senders);
      }
    }
    await load.finish(nodes.client);
    await workOff(load.answered, 12, async (send) => {
      if (!(await load.ask(nodes.client, send))) wrong.push(`${send.key} was asked again and got no answer`);
      return undefined;
    });
    wrong.push(...load.complaints.map((complaint) => nodes.explained(complaint)));
    wrong.push(...(await auditWhatsApp(network, store, { senders, sends: load.sends, recipients: load.recipients })));
    expect(load.sends.length).toBeGreaterThan(100);
  } finally {
    wrong.push(...(await nodes.stop()));
    await network.close();
    await redis.dispose();
    await ground.dispose();
  }
  expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
});
