import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { rounds } from '../support/run-options.ts';
import { audit } from './audit.ts';
import { createSenders, linkNumbers, type Sender, unlinkedSenders } from './customers.ts';
import { KeyedLoad } from './keyed-load.ts';
import { createLoadClient, type LoadClient, workOff } from './load-client.ts';
import { chosenSeed, createSeeded } from './seeded.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { createGround, type Ground } from './stores.ts';

const nodeCount = 3;
const senderCount = 12;
/** Longer than a lease lasts (sessions/ownership.ts). */
const haltMs = rounds({ short: 10_000, long: 24_000 });
const redisAwayMs = rounds({ short: 3_000, long: 60_000 });
/** A server of the release after this one, whose schema has grown. */
const nextRelease = fileURLToPath(new URL('next-release.ts', import.meta.url));
const times = rounds({ short: 1, long: 4 });
/** By when every number must be linked again. */
const backWithinMs = 15_000;

it('three servers under keyed load lose nothing and double nothing when one is killed, halted, stopped, cut off or replaced by a newer release', {
  timeout: 1_200_000,
}, async () => {
  const random = createSeeded(chosenSeed());
  const ground = await createGround('postgres');
  const redis = await startRedis();
  const nodes = new Nodes(ground, redis);
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
      'two servers are replaced by ones of a newer release': async () => {
        await nodes.replace(0, nextRelease);
        await nodes.replace(1, nextRelease);
      },
      'the one of the older release is killed and starts anew': () => nodes.kill(2),
    };
    for (let time = 0; time < times; time++) {
      for (const [name, fault] of Object.entries(faults)) {
        let running = true;
        const working = workOff(load.work(), 12, async (send) => {
          await load.ask(nodes.client, send);
          return running ? undefined : 'stop';
        });
        await sleep(500);
        await fault();
        await sleep(500);
        running = false;
        await working;
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
  wrong.push(...load.complaints, ...(await audit(store, senders, load.sends)));
  await ground.dispose();
  expect(wrong.slice(0, 20), `seed ${random.seed}`).toEqual([]);
  expect(load.sends.length).toBeGreaterThan(200);
});

/** The servers of one installation, and a client that asks them in turn. */
class Nodes {
  readonly #env: Readonly<Record<string, string>>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'gateway-nodes-'));
  readonly #nodes: { server: ServerProcess; client: LoadClient }[] = [];
  #asked = 0;

  constructor(ground: Ground, redis: TestRedis) {
    this.#env = { ...ground.env, REDIS_URL: redis.url, SECRET_KEY: 'ab'.repeat(32) };
  }

  /** Asks the next server, as a load balancer that does not look whether it is there. */
  readonly client: LoadClient = {
    call: (call) => {
      const node = this.#nodes[this.#asked++ % nodeCount];
      if (node === undefined) throw new Error('no server was started');
      return node.client.call(call);
    },
    close: async () => undefined,
  };

  async start(): Promise<void> {
    for (let place = 0; place < nodeCount; place++) await this.#startAt(place);
  }

  async kill(place: number): Promise<void> {
    await this.#nodes[place]?.server.kill();
    await sleep(1000);
    await this.#startAt(place);
  }

  async replace(place: number, file?: string): Promise<void> {
    await this.#nodes[place]?.server.terminate();
    await this.#startAt(place, file);
  }

  async halt(place: number, ms: number): Promise<void> {
    const process = this.#nodes[place]?.server.child;
    process?.kill('SIGSTOP');
    await sleep(ms);
    process?.kill('SIGCONT');
  }

  /** Stops all; what was wrong with how they ended. */
  async stop(): Promise<string[]> {
    const endings = await Promise.all(
      this.#nodes.map(async ({ server, client }) => {
        await client.close();
        const { code, signal } = await server.terminate();
        return code === 0 ? [] : [`a server ended with ${code ?? signal}: ${server.stderr()}`];
      }),
    );
    rmSync(this.#folder, { recursive: true, force: true });
    return endings.flat();
  }

  async #startAt(place: number, file?: string): Promise<void> {
    await this.#nodes[place]?.client.close();
    const server = startServer({ ...this.#env, DATA_DIR: join(this.#folder, String(place)) }, file === undefined ? {} : { file });
    this.#nodes[place] = { server, client: createLoadClient(await server.ready) };
  }
}

async function breakConnections(ground: Ground): Promise<void> {
  const admin = new pg.Client({ connectionString: ground.database.location });
  await admin.connect();
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await admin.end();
}
