import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../support/free-port.ts';
import type { TestRedis } from '../support/redis.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { createLoadClient, type LoadClient, workOff } from './load-client.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import type { Ground } from './stores.ts';

/** A server of the release after this one, whose schema has grown. */
const nextRelease = fileURLToPath(new URL('next-release.ts', import.meta.url));

/** One server, which reaches what it needs over ways of its own. */
interface Node {
  readonly server: ServerProcess;
  readonly client: LoadClient;
}

/** The ways of one server to PostgreSQL and to Redis. */
interface Ways {
  readonly database: TcpProxy;
  readonly redis: TcpProxy;
}

/** Where the server at one place listens, whichever process that is, and how it reaches the others. */
interface Place {
  readonly port: number;
  readonly ways: Ways;
}

/** The servers of one installation, and a client that asks them in turn. */
export class Nodes {
  readonly #ground: Ground;
  readonly #redis: TestRedis;
  readonly #env: Readonly<Record<string, string>>;
  readonly #folder = mkdtempSync(join(tmpdir(), 'gateway-nodes-'));
  readonly #count: number;
  readonly #nodes: Node[] = [];
  readonly #all: ServerProcess[] = [];
  readonly #places: Place[] = [];
  #asked = 0;

  constructor(ground: Ground, redis: TestRedis, { count, env = {} }: { count: number; env?: Readonly<Record<string, string>> }) {
    this.#ground = ground;
    this.#redis = redis;
    this.#count = count;
    this.#env = { ...ground.env, SECRET_KEY: 'ab'.repeat(32), ...env };
  }

  /** Asks the next server, as a load balancer that does not look whether it is there. */
  readonly client: LoadClient = {
    call: (call) => {
      const node = this.#nodes[this.#asked++ % this.#count];
      if (node === undefined) throw new Error('no server was started');
      return node.client.call(call);
    },
    close: async () => undefined,
  };

  /** Where the servers listen. */
  get ports(): number[] {
    return this.#places.map(({ port }) => port);
  }

  async start(): Promise<void> {
    for (let place = 0; place < this.#count; place++) {
      const database = await startTcpProxy(Number(new URL(this.#ground.database.location).port));
      this.#places.push({ port: await freePort(), ways: { database, redis: await startTcpProxy(this.#redis.port) } });
      await this.#startAt(place);
    }
  }

  async kill(place: number): Promise<void> {
    await this.#nodes[place]?.server.kill();
    await sleep(1000);
    await this.#startAt(place);
  }

  /** Stops one, and starts another in its place, if wanted of the next release. */
  async replace(place: number, { newer = false } = {}): Promise<void> {
    await this.#nodes[place]?.server.terminate();
    await this.#startAt(place, newer ? { file: nextRelease } : {});
  }

  async halt(place: number, ms: number): Promise<void> {
    const process = this.#nodes[place]?.server.child;
    process?.kill('SIGSTOP');
    await sleep(ms);
    process?.kill('SIGCONT');
  }

  /** Cuts these servers off for so long. */
  async cutOff(way: keyof Ways, places: readonly number[], ms: number): Promise<void> {
    const cut = this.#places.filter((_, place) => places.includes(place)).map(({ ways }) => ways[way]);
    for (const proxy of cut) proxy.cut();
    await sleep(ms);
    for (const proxy of cut) proxy.mend();
  }

  /** The server at this place hears no answer for so long, though what it asks for is done; then its connections break. */
  async swallowAnswers(way: keyof Ways, place: number, ms: number): Promise<void> {
    const proxy = this.#places[place]?.ways[way];
    proxy?.swallowAnswers();
    await sleep(ms);
    proxy?.cut();
    proxy?.mend();
  }

  /** The complaint, with what the servers have logged about the request that it names. */
  explained(complaint: string): string {
    const id = /"request_id":"([^"]+)"/.exec(complaint)?.[1];
    const lines = this.#all.flatMap((server) => server.stdout().split('\n')).filter((line) => id !== undefined && line.includes(id));
    return [complaint, ...lines].join('\n');
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
    for (const {
      ways: { database, redis },
    } of this.#places)
      await Promise.all([database.close(), redis.close()]);
    rmSync(this.#folder, { recursive: true, force: true });
    return endings.flat();
  }

  async #startAt(place: number, options: { file?: string } = {}): Promise<void> {
    const at = this.#places[place];
    if (at === undefined) throw new Error('no such place');
    const { port, ways } = at;
    await this.#nodes[place]?.client.close();
    const env = {
      ...this.#env,
      PORT: String(port),
      DATA_DIR: join(this.#folder, String(place)),
      DATABASE_URL: over(ways.database, this.#ground.database.location),
      REDIS_URL: over(ways.redis, this.#redis.url),
    };
    const server = startServer(env, options);
    this.#all.push(server);
    this.#nodes[place] = { server, client: createLoadClient(await server.ready) };
  }
}

/** Has so many senders ask without pause while the fault happens; resolves when the last of them has its answer. */
export async function underLoad<Send>(
  sends: Iterable<Send>,
  { senders, ask, fault }: { senders: number; ask: (send: Send) => Promise<unknown>; fault: () => Promise<void> },
): Promise<void> {
  let running = true;
  const working = workOff(sends, senders, async (send) => {
    await ask(send);
    return running ? undefined : 'stop';
  });
  await sleep(500);
  await fault();
  await sleep(500);
  running = false;
  await working;
}

function over({ port }: TcpProxy, url: string): string {
  const led = new URL(url);
  led.hostname = '127.0.0.1';
  led.port = String(port);
  return led.href;
}
