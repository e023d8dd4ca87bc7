import type { Store } from '../../src/store/index.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { recordOf } from './audit.ts';
import { createSenders, type Sender } from './customers.ts';
import { type Fault, FaultRounds } from './fault-rounds.ts';
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

/** Three servers, and what faults need. */
interface Servers {
  readonly nodes: Nodes;
  readonly redis: TestRedis;
  /** One of the servers, by chance. */
  any(): number;
}

interface Options<Send extends KeyedSend> {
  readonly ground: Ground;
  readonly random: Seeded;
  /** Settings of the servers, besides those of the ground. */
  readonly env?: Readonly<Record<string, string>>;
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
  readonly faults: (servers: Servers) => Readonly<Record<string, Fault>>;
  /** What does not fit after a fault, between what customers were told and what recipients have. */
  readonly audit: (store: Store, senders: readonly Sender[], sends: readonly Send[]) => Promise<string[]>;
  /** The same at the end, with everything that is counted. */
  readonly finalAudit: (store: Store, senders: readonly Sender[], sends: readonly Send[]) => Promise<string[]>;
}

/** Has three servers with numbers suffer each fault under load; resolves to what was wrong and how many sends there were. */
export async function sufferFaults<Send extends KeyedSend>(options: Options<Send>): Promise<{ wrong: string[]; sends: number }> {
  const { ground, env, random, customers, redisAwayMs, lossesOf } = options;
  const redis = await startRedis();
  const nodes = new Nodes(ground, redis, { count: nodeCount, ...(env && { env }) });
  const wrong: string[] = [];
  try {
    await nodes.start();
    const store = await ground.database.open();
    const senders = await options.link(nodes.client, await createSenders(store, options.numbers));
    const pace = new Pace(options.amount);
    const load = options.load(senders, pace);
    const zombies = new Zombies(store);
    const any = () => random.below(nodeCount);
    const faults: Readonly<Record<string, Fault>> = {
      'a server is killed': () => nodes.kill(any()),
      'a server is halted and goes on': () => zombies.halt(nodes, any(), haltMs),
      'a server stops and another takes its place': () => nodes.replace(any()),
      'a server is cut off from PostgreSQL': () => nodes.cutOff('database', [any()], haltMs),
      'a server is cut off from Redis': () => nodes.cutOff('redis', [any()], redisAwayMs),
      ...options.faults({ nodes, redis, any }),
    };
    const run = new FaultRounds<Send>({
      ...{ nodes, senders, load, pace, customers, ...(lossesOf && { lossesOf }) },
      recordOf: (send) => recordOf(store, send),
      audit: async () => [...(await options.audit(store, senders, load.sends)), ...(await zombies.misdeeds())],
    });
    for (let time = 0; time < times; time++) {
      for (const [name, fault] of Object.entries(faults)) await run.suffer(name, fault);
    }
    wrong.push(...(await run.wrong()), ...(await nodes.stop()), ...(await options.finalAudit(store, senders, load.sends)));
    process.stdout.write(run.figures());
    return { wrong, sends: load.sends.length };
  } finally {
    await nodes.stop();
    await redis.dispose();
  }
}
