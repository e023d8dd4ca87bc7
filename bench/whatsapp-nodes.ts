import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { createDatabase } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startRedis } from '../test/support/redis.ts';
import { cpuTime } from './processes.ts';
import { line, median } from './table.ts';
import { allOpen, type GatewayData, type GatewayProcess, makeData, startGateway } from './whatsapp-gateway.ts';
import { startNetwork } from './whatsapp-network.ts';
import { linkAndGreet, load } from './whatsapp-sends.ts';

// Measures WhatsApp sends through one server and through several on the same cores: `node bench/whatsapp-nodes.ts --help`.

const { values: options } = parseArgs({
  options: {
    numbers: { type: 'string', default: '24' },
    servers: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '120' },
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '32' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`npm run build && node bench/whatsapp-nodes.ts [--numbers 24] [--servers 3] [--seconds 10] [--warm-up 120] [--rounds 3]
  [--at-once 32]
The numbers are linked once, over PostgreSQL and Redis. Each round sends through one server and then through several, without and with an
Idempotency-Key, so many at once in all: first every server is asked for every number, then each only for its own, so that nothing is forwarded.
Told are the medians, and the ratio of several to one in the same round.
`);
  process.exit(0);
}

const seconds = Number(options.seconds);
const atOnce = Number(options['at-once']);
// Three servers have to compile three times as much with a third of the sends each.
const warmUpSeconds = Number(options['warm-up']);
/** After a change of what is asked for. */
const settlingSeconds = 5;
/** How long servers may take to share the numbers, in milliseconds. */
const sharingMs = 120_000;

/** A measurement of a round. */
interface Variant {
  readonly servers: number;
  /** Which numbers each server is asked for. */
  readonly asked: 'all' | 'own';
  readonly keyed: boolean;
}

/** What a text of a number is addressed with. */
type Body = Awaited<ReturnType<typeof linkAndGreet>>[number];

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
  readonly failures: number;
  /** Microseconds per send, of all servers. */
  readonly cpu: number;
}

const postgres = await startPostgres({ durable: true });
const redis = await startRedis();
const network = await startNetwork();
try {
  const { url } = await createDatabase(postgres.url);
  const shared = { DATABASE_URL: url, REDIS_URL: redis.url, SECRET_KEY: 'ab'.repeat(32) };
  const data = await makeData(network, 4, shared);
  try {
    await measure(data, url, await linked(data));
  } finally {
    data.remove();
  }
} finally {
  await network.stop();
  await redis.dispose();
  await postgres.dispose();
}

/** Links the numbers; gives what a text of each is addressed with. */
async function linked(data: GatewayData): Promise<Body[]> {
  const gateway = await startGateway(data);
  try {
    return await linkAndGreet(gateway, network, { numbers: Number(options.numbers), recipients: 1 });
  } finally {
    await gateway.stop();
  }
}

async function measure(data: GatewayData, databaseUrl: string, bodies: readonly Body[]): Promise<void> {
  const several = Number(options.servers);
  const rounds = new Map<Variant, Measured[]>();
  for (const [servers, asked] of [[1, 'all'] as const, [several, 'all'] as const, [several, 'own'] as const])
    for (const keyed of [false, true]) rounds.set({ servers, asked, keyed }, []);
  const variants = [...rounds.keys()];
  for (let round = 0; round < Number(options.rounds); round++)
    for (const servers of [1, several]) {
      const these = variants.filter((variant) => variant.servers === servers);
      for (const [variant, measured] of await through(these, data, databaseUrl, bodies)) rounds.get(variant)?.push(measured);
    }
  line('servers', 'asked for', 'key', 'sends/s', 'ratio to one server', 'p99 ms', 'CPU µs/send of the servers', 'failures');
  line('--:', '---', '---', ...Array.from({ length: 5 }, () => '--:'));
  for (const [variant, results] of rounds) {
    const { servers, asked, keyed } = variant;
    const ones = rounds.get(variants.find((other) => other.servers === 1 && other.keyed === keyed) ?? variant) ?? [];
    const ratios = results.map(({ perSecond }, round) => perSecond / (ones[round]?.perSecond ?? Number.NaN));
    line(
      String(servers),
      asked === 'all' ? 'all numbers' : 'its own',
      keyed ? 'yes' : 'no',
      median(results.map(({ perSecond }) => perSecond)).toFixed(0),
      median(ratios).toFixed(2),
      median(results.map(({ p99 }) => p99)).toFixed(0),
      median(results.map(({ cpu }) => cpu)).toFixed(0),
      String(results.reduce((sum, { failures }) => sum + failures, 0)),
    );
  }
}

/** Starts the servers of these variants, waits until every number is open, and sends through all of them. */
async function through(
  variants: readonly Variant[],
  data: GatewayData,
  databaseUrl: string,
  bodies: readonly Body[],
): Promise<[Variant, Measured][]> {
  const gateways: GatewayProcess[] = [];
  const servers = variants[0]?.servers ?? 0;
  try {
    for (let place = 0; place < servers; place++) {
      const settings = { ...data.settings, DATA_DIR: join(data.settings.DATA_DIR ?? '', String(place)) };
      gateways.push(await startGateway({ ...data, settings }));
    }
    // The first server begins with all numbers and gives the others theirs, a few at a time.
    await evenlyShared(data, servers);
    for (const gateway of gateways) await allOpen(gateway);
    const owned = await ownedBy(databaseUrl, bodies);
    const loadsOf = ({ asked, keyed }: Variant) =>
      gateways.map((gateway) => ({ gateway, keyed, bodies: asked === 'all' ? bodies : owned(gateway) }));
    for (const variant of variants) await loadAll(loadsOf(variant), warmUpSeconds / variants.length);
    const found: [Variant, Measured][] = [];
    for (const variant of variants) {
      await loadAll(loadsOf(variant), settlingSeconds);
      found.push([variant, await loadAll(loadsOf(variant), seconds)]);
    }
    return found;
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
  }
}

/** Tells which of the numbers a server connects now. */
async function ownedBy(databaseUrl: string, bodies: readonly Body[]): Promise<(gateway: GatewayProcess) => Body[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // A server's name ends with its process id.
    const { rows } = await client.query<{ instance_id: string; name: string }>(
      'select instance_id, name from leases join nodes on nodes.id = node_id',
    );
    const pids = new Map(rows.map(({ instance_id, name }) => [instance_id, Number(name.split(':').at(-1))]));
    return ({ pid }) => bodies.filter(({ instance_id }) => pids.get(instance_id) === pid);
  } finally {
    await client.end();
  }
}

/** Resolves when every server has its share of the numbers; one more than that is not given away. Rejects when that takes too long. */
async function evenlyShared(data: GatewayData, servers: number): Promise<void> {
  const most = Math.ceil(Number(options.numbers) / servers) + 1;
  for (const until = Date.now() + sharingMs; Date.now() < until; await setTimeout(1000)) {
    const owned = await data.nodes();
    const all = owned.reduce((sum, { numbers }) => sum + numbers, 0);
    if (owned.length === servers && all === Number(options.numbers) && owned.every(({ numbers }) => numbers <= most)) return;
  }
  throw new Error('the servers do not share the numbers evenly');
}

async function loadAll(
  loads: readonly { gateway: GatewayProcess; bodies: readonly Body[]; keyed: boolean }[],
  forSeconds: number,
): Promise<Measured> {
  const used = () => loads.map(({ gateway }) => cpuTime(gateway.pid)).reduce((sum, { main, others }) => sum + main + others, 0);
  const before = used();
  const connections = Math.ceil(atOnce / loads.length);
  const results = await Promise.all(
    loads.map(({ gateway, bodies, keyed }) => load(gateway, { bodies, keyed, seconds: forSeconds, connections })),
  );
  const sum = (of: (result: (typeof results)[number]) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    failures: sum(({ failures }) => failures),
    cpu: (used() - before) / sum(({ answered }) => answered),
  };
}
