import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { startRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { audit } from './audit.ts';
import { createSenders, linkNumbers, type Sender, unlinkedSenders } from './customers.ts';
import { KeyedLoad } from './keyed-load.ts';
import { workOff } from './load-client.ts';
import { Nodes, underLoad } from './nodes.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { createGround, type Ground } from './stores.ts';

const nodeCount = 3;
const senderCount = 12;
/** Longer than a lease lasts (sessions/ownership.ts). */
const haltMs = rounds({ short: 10_000, long: 24_000 });
const redisAwayMs = rounds({ short: 3_000, long: 60_000 });
const databaseAwayMs = rounds({ short: 3_000, long: 15_000 });
const times = rounds({ short: 1, long: 4 });
/** By when every number must be linked again. */
const backWithinMs = 15_000;

it('three servers under keyed load lose nothing and double nothing when one is killed, halted, stopped, cut off or replaced by a newer release', {
  timeout: 1_200_000,
}, async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround('postgres');
  const redis = await startRedis();
  const nodes = new Nodes(ground, redis, { count: nodeCount });
  const wrong: string[] = [];
  let senders: Sender[] = [];
  const load = await (async () => {
    await nodes.start();
    const store = await ground.database.open();
    const accounts = await createSenders(store, senderCount);
    await store.close();
    senders = await linkNumbers(nodes.client, accounts);
    return new KeyedLoad(random, senders, 900);
  })();
  try {
    const faults: Readonly<Record<string, () => Promise<void>>> = {
      'a server is killed': () => nodes.kill(random.below(nodeCount)),
      'a server is halted and goes on': () => nodes.halt(random.below(nodeCount), haltMs),
      'a server stops and another takes its place': () => nodes.replace(random.below(nodeCount)),
      'Redis goes away and comes back': async () => {
        await redis.stop();
        await sleep(redisAwayMs);
        await redis.start();
      },
      'every connection to the database breaks': () => breakConnections(ground),
      'a server is cut off from PostgreSQL': () => nodes.cutOff('database', [random.below(nodeCount)], haltMs),
      'a server is cut off from Redis': () => nodes.cutOff('redis', [random.below(nodeCount)], redisAwayMs),
      'PostgreSQL goes away and comes back': () => nodes.cutOff('database', [0, 1, 2], databaseAwayMs),
      'the answers of PostgreSQL to one server are lost': () => nodes.swallowAnswers('database', random.below(nodeCount), databaseAwayMs),
      'two servers are replaced by ones of a newer release': async () => {
        await nodes.replace(0, { newer: true });
        await nodes.replace(1, { newer: true });
      },
      'the one of the older release is killed and starts anew': () => nodes.kill(2),
    };
    for (let time = 0; time < times; time++) {
      for (const [name, fault] of Object.entries(faults)) {
        await underLoad(load.work(), { senders: 12, ask: (send) => load.ask(nodes.client, send), fault });
        await vi.waitFor(async () => expect(await unlinkedSenders(nodes.client, senders), name).toEqual([]), {
          timeout: backWithinMs,
          interval: 250,
        });
      }
    }
    await load.finish(nodes.client);
    await workOff(load.answered, 12, async (send) => {
      if (!(await load.ask(nodes.client, send))) wrong.push(`${send.key} was asked again and got no answer`);
      return undefined;
    });
  } finally {
    wrong.push(...(await nodes.stop()));
    await redis.dispose();
  }
  const store = await ground.database.open();
  wrong.push(...load.complaints.map((complaint) => nodes.explained(complaint)), ...(await audit(store, senders, load.sends)));
  await ground.dispose();
  expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
  expect(load.sends.length).toBeGreaterThan(200);
});

async function breakConnections(ground: Ground): Promise<void> {
  const admin = new pg.Client({ connectionString: ground.database.location });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
}
