import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onChosenPort, PortTaken } from '../support/chosen-port.ts';
import type { TestRedis } from '../support/redis.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { type Sender, unlinkedSenders } from './customers.ts';
import { createLoadClient, type LoadClient } from './load-client.ts';
import type { ServerProcess } from './server-process.ts';
import type { Ground } from './stores.ts';

/** A server of the release after this one, whose schema has grown. */
const nextRelease = fileURLToPath(new URL('next-release.ts', import.meta.url));

/** One server, which reaches what it needs over ways of its own. */
interface Node {
  /** False from when it was killed until another listens in its place. */
  listens: boolean;
  readonly server: ServerProcess;
  readonly client: LoadClient;
  /** Connections of their own, for questions that must not wait for the load. */
  readonly watcher: LoadClient;
}

/** The ways of one server to PostgreSQL, to Redis and to WhatsApp. */
interface Ways {
  readonly database: TcpProxy;
  readonly redis: TcpProxy;
  /** null: it does not use WhatsApp. */
  readonly whatsapp: TcpProxy | null;
}

interface NodesOptions {
  readonly count: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Where the server at one place listens, whichever process that is, and how it reaches the others. */
interface Place {
  /** null: none has listened yet. */
  port: number | null;
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
  #stopped: Promise<string[]> | null = null;
  #starting: Promise<void> = Promise.resolve();

  constructor(ground: Ground, redis: TestRedis, { count, env = {} }: NodesOptions) {
    this.#ground = ground;
    this.#redis = redis;
    this.#count = count;
    this.#env = { ...ground.env, SECRET_KEY: 'ab'.repeat(32), ...env };
  }

  /** Asks the next server, as a load balancer that does not look whether it is there. */
  readonly client = this.#inTurn(({ client }) => client);
  readonly #watcher = this.#inTurn(({ watcher, listens }) => (listens ? watcher : null));

  /** Where the servers listen. */
  get ports(): number[] {
    return this.#places.flatMap(({ port }) => port ?? []);
  }

  async start(): Promise<void> {
    for (let place = 0; place < this.#count; place++) {
      const { WHATSAPP_URL } = this.#env;
      const ways = {
        database: await proxyTo(this.#ground.database.location),
        redis: await proxyTo(this.#redis.url),
        whatsapp: WHATSAPP_URL === undefined ? null : await proxyTo(WHATSAPP_URL),
      };
      this.#places.push({ port: null, ways });
      await this.#startAt(place);
    }
  }

  /** What does not work, among the servers that listen: those that are not ready or without Redis, and numbers that are not linked. */
  async missing(senders: readonly Sender[]): Promise<string[]> {
    const ready = await Promise.all(
      this.#nodes.map(async ({ watcher, listens }, place) => {
        if (!listens) return [];
        const answer = await watcher.call({ method: 'GET', path: '/health/ready' }).catch(String);
        const whole = typeof answer !== 'string' && answer.status === 200 && answer.body.data.degraded === undefined;
        return whole ? [] : [`server ${place} is not ready: ${JSON.stringify(answer)}`];
      }),
    );
    return [...ready.flat(), ...(await unlinkedSenders(this.#watcher, senders))];
  }

  /** The process of the server at this place. */
  pid(place: number): number {
    const pid = this.#nodes[place]?.server.child.pid;
    if (pid === undefined) throw new Error('no server was started');
    return pid;
  }

  /** Kills one and begins to start another in its place; resolves with the time of the kill, of `performance.now()`. */
  async kill(place: number): Promise<number> {
    const node = this.#nodes[place];
    if (node === undefined) throw new Error('no server was started');
    node.listens = false;
    await node.server.kill();
    const killedAt = performance.now();
    await sleep(1000);
    this.#starting = this.#startAt(place);
    // Whoever waits for it hears of its failure.
    this.#starting.catch(() => undefined);
    return killedAt;
  }

  /** Resolves when a server that was killed has its successor. */
  started(): Promise<void> {
    return this.#starting;
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
    for (const proxy of cut) proxy?.cut();
    await sleep(ms);
    for (const proxy of cut) proxy?.mend();
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

  /** Stops all; what was wrong with how they ended. May be called again. */
  stop(): Promise<string[]> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<string[]> {
    const endings = await Promise.all(
      this.#nodes.map(async ({ server, client, watcher }) => {
        await Promise.all([client.close(), watcher.close()]);
        const { code, signal } = await server.terminate();
        return code === 0 ? [] : [`a server ended with ${code ?? signal}: ${server.stderr()}`];
      }),
    );
    for (const { ways } of this.#places) await Promise.all(Object.values(ways).map((way: TcpProxy | null) => way?.close()));
    rmSync(this.#folder, { recursive: true, force: true });
    return endings.flat();
  }

  async #startAt(place: number, options: { file?: string } = {}): Promise<void> {
    const at = this.#places[place];
    if (at === undefined) throw new Error('no such place');
    const { ways } = at;
    await this.#nodes[place]?.client.close();
    await this.#nodes[place]?.watcher.close();
    const env = {
      ...this.#env,
      DATA_DIR: join(this.#folder, String(place)),
      DATABASE_URL: over(ways.database, this.#ground.database.location),
      REDIS_URL: over(ways.redis, this.#redis.url),
      ...(ways.whatsapp === null ? {} : { WHATSAPP_URL: over(ways.whatsapp, this.#env.WHATSAPP_URL ?? '') }),
    };
    const startOn = async (port: number) => {
      const started = this.#ground.start({ ...env, PORT: String(port) }, options);
      this.#all.push(started);
      const address = await started.ready.catch((error: unknown) => {
        throw String(error).includes(`port ${port} on `) ? new PortTaken(port) : error;
      });
      return { port, server: started, address };
    };
    const { port, server, address } = await (at.port === null ? onChosenPort(startOn) : startOn(at.port));
    at.port = port;
    this.#nodes[place] = { listens: true, server, client: createLoadClient(address), watcher: createLoadClient(address, 64) };
  }

  /** Asks one server after the other, without those that are left out by null. */
  #inTurn(clientOf: (node: Node) => LoadClient | null): LoadClient {
    let asked = 0;
    return {
      call: (call) => {
        for (let tries = 0; tries < this.#count; tries++) {
          const node = this.#nodes[asked++ % this.#count];
          const client = node === undefined ? null : clientOf(node);
          if (client !== null) return client.call(call);
        }
        throw new Error('no server was started');
      },
      close: async () => undefined,
    };
  }
}

function proxyTo(url: string): Promise<TcpProxy> {
  return startTcpProxy(Number(new URL(url).port));
}

function over({ port }: TcpProxy, url: string): string {
  const led = new URL(url);
  led.hostname = '127.0.0.1';
  led.port = String(port);
  return led.href;
}
