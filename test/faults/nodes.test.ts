import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { audit, auditMessages, recordOf } from './audit.ts';
import { breakConnections } from './broken-connections.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { type Fault, FaultRounds } from './fault-rounds.ts';
import { KeyedLoad, losesItsAcknowledgement } from './keyed-load.ts';
import { Nodes } from './nodes.ts';
import { Pace } from './pace.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createOwnServer } from './stores.ts';
import { Zombies } from './zombies.ts';

const nodeCount = 3;
const senderCount = rounds({ short: 12, long: 100 });
/** Longer than a lease lasts (sessions/ownership.ts). */
const haltMs = rounds({ short: 10_000, long: 24_000 });
const redisAwayMs = rounds({ short: 3_000, long: 60_000 });
const databaseAwayMs = rounds({ short: 3_000, long: 15_000 });
const times = rounds({ short: 1, long: 3 });
/** New sends at a time, and a second. */
const amount = { burst: rounds({ short: 200, long: 300 }), perSecond: 15 };

it('three servers under keyed load lose nothing and double nothing when one is killed, halted, stopped, cut off or replaced by a newer release', {
  timeout: rounds({ short: 1_200_000, long: 3_600_000 }),
}, async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createOwnServer();
  const redis = await startRedis();
  const nodes = new Nodes(ground, redis, { count: nodeCount });
  const wrong: string[] = [];
  let sends = 0;
  try {
    const store = await ground.database.open();
    await nodes.start();
    const senders = await linkNumbers(nodes.client, await createSenders(store, senderCount));
    const pace = new Pace(amount);
    const load = new KeyedLoad(random, senders, 900, pace);
    const zombies = new Zombies(store);
    const faults: Readonly<Record<string, Fault>> = {
      'a server is killed': () => nodes.kill(random.below(nodeCount)),
      'a server is halted and goes on': () => zombies.halt(nodes, random.below(nodeCount), haltMs),
      'a server stops and another takes its place': () => nodes.replace(random.below(nodeCount)),
      'Redis goes away and comes back': async () => {
        await redis.stop();
        await sleep(redisAwayMs);
        await redis.start();
      },
      'Redis is restarted at once': async () => {
        await redis.stop();
        await redis.start();
      },
      'every connection to the database breaks, one in the middle of a transaction': () => breakConnections(ground),
      'a server is cut off from PostgreSQL': () => nodes.cutOff('database', [random.below(nodeCount)], haltMs),
      'a server is cut off from Redis': () => nodes.cutOff('redis', [random.below(nodeCount)], redisAwayMs),
      'PostgreSQL goes away and comes back': () => nodes.cutOff('database', [0, 1, 2], databaseAwayMs),
      'PostgreSQL crashes and starts again': async () => {
        await ground.server.crash();
        await ground.server.start();
      },
      'PostgreSQL is restarted': async () => {
        await ground.server.stop();
        await ground.server.start();
      },
      'the answers of PostgreSQL to one server are lost': () => nodes.swallowAnswers('database', random.below(nodeCount), databaseAwayMs),
      'two servers are replaced by ones of a newer release': async () => {
        await nodes.replace(0, { newer: true });
        await nodes.replace(1, { newer: true });
      },
      'the one of the older release is killed and starts anew': () => nodes.kill(2),
    };
    const run = new FaultRounds({
      ...{ nodes, senders, load, pace, customers: 12 },
      lossesOf: (send) => (losesItsAcknowledgement(send) ? 1 : 0),
      recordOf: (send) => recordOf(store, send),
      audit: async () => [...(await auditMessages(store, senders, load.sends)), ...(await zombies.misdeeds())],
    });
    for (let time = 0; time < times; time++) {
      for (const [name, fault] of Object.entries(faults)) await run.suffer(name, fault);
    }
    wrong.push(...(await run.wrong()), ...(await nodes.stop()), ...(await audit(store, senders, load.sends)));
    sends = load.sends.length;
    process.stdout.write(run.figures());
  } finally {
    await nodes.stop();
    await redis.dispose();
    await ground.dispose();
  }
  expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
  expect(sends).toBeGreaterThan(200);
});
