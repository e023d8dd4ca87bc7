import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/index.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { recordOf } from './audit.ts';
import { createSenders, type Sender } from './customers.ts';
import { FaultRounds } from './fault-rounds.ts';
import type { KeyedLoad, KeyedSend } from './keyed-load.ts';
import type { LoadClient } from './load-client.ts';
import { Nodes } from './nodes.ts';
import { Pace } from './pace.ts';
import type { Seeded } from './seeded.ts';
import type { Ground } from './stores.ts';
import { Zombies } from './zombies.ts';

const nodeCount = 3;
const times = rounds({ short: 1, long: 3 });
/** Longer than a lease lasts (sessions/ownership.ts). */
const haltMs = rounds({ short: 10_000, long: 24_000 });

/** How long the start of three servers, one fault, or the last look may take before it counts as one that hangs. */
const hangMs = rounds({ short: 60_000, long: 600_000 });

/** Three servers, and what faults need. */
interface Servers<On extends Ground> {
  readonly ground: On;
  readonly nodes: Nodes;
  readonly redis: TestRedis;
  readonly zombies: Zombies;
  /** One of the servers, by chance. */
  any(): number;
}

type FaultOf<On extends Ground> = (servers: Servers<On>) => Promise<unknown>;

interface Options<Send extends KeyedSend, On extends Ground> {
  readonly ground: () => Promise<On>;
  readonly random: Seeded;
  /** Settings of the servers, besides those of the ground. */
  readonly env?: () => Readonly<Record<string, string>>;
  readonly numbers: number;
  /** How many customers ask at once. */
  readonly customers: number;
  /** New sends at a time, and a second. */
  readonly amount: { readonly burst: number; readonly perSecond: number };
  readonly redisAwayMs: number;
  /** Links a number for each account. */
  readonly link: (client: LoadClient, accounts: readonly Omit<Sender, 'instanceId'>[]) => Promise<Sender[]>;
  readonly load: (senders: readonly Sender[], pace: Pace) => KeyedLoad<Send>;
  readonly lossesOf?: (send: Send) => number;
  /** Faults besides those of every network. */
  readonly faults: Readonly<Record<string, FaultOf<On>>>;
  /** So many sends at least show that there was a load. */
  readonly fewestSends: number;
  /** What does not fit after a fault, between what customers were told and what recipients have. */
  readonly audit: (store: Store, senders: readonly Sender[], sends: readonly Send[]) => Promise<string[]>;
  /** The same at the end, with everything that is counted. */
  readonly finalAudit: (store: Store, senders: readonly Sender[], sends: readonly Send[]) => Promise<string[]>;
}

/** Tests of three servers with numbers: each fault under load, and at the end everything that is counted. */
export function describeFaults<Send extends KeyedSend, On extends Ground>(title: string, options: Options<Send, On>): void {
  const faults: Readonly<Record<string, FaultOf<On>>> = {
    'a server is killed': ({ nodes, any }) => nodes.kill(any()),
    'a server is halted and goes on': ({ nodes, zombies, any }) => zombies.halt(nodes, any(), haltMs),
    'a server stops and another takes its place': ({ nodes, any }) => nodes.replace(any()),
    'a server is cut off from PostgreSQL': ({ nodes, any }) => nodes.cutOff('database', [any()], haltMs),
    'a server is cut off from Redis': ({ nodes, any }) => nodes.cutOff('redis', [any()], options.redisAwayMs),
    ...options.faults,
  };

  describe(title, () => {
    let world: World<Send, On>;
    beforeAll(async () => {
      world = await start(options);
    }, hangMs);
    afterAll(() => world?.end(), hangMs);
    const seed = `seed ${options.random.seed}`;

    for (let time = 1; time <= times; time++) {
      it.each(Object.entries(faults))(times === 1 ? '%s' : `%s, time ${time}`, { timeout: hangMs }, async (name, fault) => {
        expect(await world.run.suffer(name, () => fault(world)), seed).toEqual([]);
      });
    }

    it('no key is lost or doubled, and everything is counted', { timeout: hangMs }, async () => {
      expect((await world.finalWrong()).slice(0, 20), seed).toEqual([]);
      expect(world.sends()).toBeGreaterThan(options.fewestSends);
      process.stdout.write(world.run.figures());
    });
  });
}

interface World<Send extends KeyedSend, On extends Ground> extends Servers<On> {
  readonly run: FaultRounds<Send>;
  /** How many sends there were. */
  sends(): number;
  /** Stops the servers and resolves to what does not fit in the end. */
  finalWrong(): Promise<string[]>;
  end(): Promise<void>;
}

async function start<Send extends KeyedSend, On extends Ground>(options: Options<Send, On>): Promise<World<Send, On>> {
  const { random, customers, lossesOf } = options;
  const env = options.env?.();
  const ground = await options.ground();
  const redis = await startRedis();
  const nodes = new Nodes(ground, redis, { count: nodeCount, ...(env && { env }) });
  const end = async () => {
    await nodes.stop();
    await redis.dispose();
    await ground.dispose();
  };
  try {
    await nodes.start();
    const store = await ground.database.open();
    const senders = await options.link(nodes.client, await createSenders(store, options.numbers));
    const pace = new Pace(options.amount);
    const load = options.load(senders, pace);
    const zombies = new Zombies(store);
    const run = new FaultRounds<Send>({
      ...{ nodes, senders, load, pace, customers, ...(lossesOf && { lossesOf }) },
      recordOf: (send) => recordOf(store, send),
      audit: async () => [...(await options.audit(store, senders, load.sends)), ...(await zombies.misdeeds())],
    });
    return {
      ...{ ground, nodes, redis, zombies, run, end },
      any: () => random.below(nodeCount),
      sends: () => load.sends.length,
      finalWrong: async () => [...(await run.wrong()), ...(await nodes.stop()), ...(await options.finalAudit(store, senders, load.sends))],
    };
  } catch (error) {
    await end();
    throw error;
  }
}
