import { expect, it } from 'vitest';
import { startWhatsAppServer } from 'whatsapp-test-server';
import { startRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { recordOf } from './audit.ts';
import { createSenders } from './customers.ts';
import { type Fault, FaultRounds } from './fault-rounds.ts';
import { Nodes } from './nodes.ts';
import { Pace } from './pace.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround } from './stores.ts';
import { auditLinks, auditPhones, auditWhatsApp } from './whatsapp-audit.ts';
import { WhatsAppLoad } from './whatsapp-load.ts';
import { linkByScan, whatsappSettings } from './whatsapp-numbers.ts';
import { Zombies } from './zombies.ts';

const nodeCount = 3;
const senderCount = rounds({ short: 6, long: 100 });
const recipientCount = 40;
const times = rounds({ short: 1, long: 3 });
/** Longer than a lease lasts (sessions/ownership.ts). */
const haltMs = rounds({ short: 10_000, long: 24_000 });
const redisAwayMs = rounds({ short: 3_000, long: 10_000 });
const networkAwayMs = rounds({ short: 3_000, long: 60_000 });
/** New sends at a time, and a second. */
const amount = { burst: 100, perSecond: 10 };

it('WhatsApp numbers of three servers: each key shows one message and no number is scanned again when one is killed, halted, replaced or cut off', {
  timeout: rounds({ short: 900_000, long: 3_600_000 }),
}, async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround('postgres');
  const redis = await startRedis();
  const network = await startWhatsAppServer();
  const nodes = new Nodes(ground, redis, { count: nodeCount, env: whatsappSettings(network) });
  const wrong: string[] = [];
  let sends = 0;
  try {
    await nodes.start();
    const store = await ground.database.open();
    const senders = await linkByScan(nodes.client, network, await createSenders(store, senderCount), 4);
    const pace = new Pace(amount);
    const load = new WhatsAppLoad({ random, senders, recipients: recipientCount, pace });
    const zombies = new Zombies(store);
    const faults: Readonly<Record<string, Fault>> = {
      'a server is killed': () => nodes.kill(random.below(nodeCount)),
      'a server is halted and goes on': () => zombies.halt(nodes, random.below(nodeCount), haltMs),
      'a server stops and another takes its place': () => nodes.replace(random.below(nodeCount)),
      'a server is cut off from PostgreSQL': () => nodes.cutOff('database', [random.below(nodeCount)], haltMs),
      'a server is cut off from Redis': () => nodes.cutOff('redis', [random.below(nodeCount)], redisAwayMs),
      'a server is cut off from WhatsApp': () => nodes.cutOff('whatsapp', [random.below(nodeCount)], networkAwayMs),
    };
    const told = { senders, sends: load.sends, recipients: load.recipients };
    const run = new FaultRounds({
      ...{ nodes, senders, load, pace, customers: 8 },
      recordOf: (send) => recordOf(store, send),
      audit: async () => [...(await auditPhones(network, told)), ...auditLinks(network, senders), ...(await zombies.misdeeds())],
    });
    for (let time = 0; time < times; time++) {
      for (const [name, fault] of Object.entries(faults)) await run.suffer(name, fault);
    }
    wrong.push(...(await run.wrong()), ...(await auditWhatsApp(network, store, told)));
    sends = load.sends.length;
    process.stdout.write(run.figures());
  } finally {
    wrong.push(...(await nodes.stop()));
    await network.close();
    await redis.dispose();
    await ground.dispose();
  }
  expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
  expect(sends).toBeGreaterThan(100);
});
