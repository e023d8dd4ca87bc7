import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
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
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '32' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`npm run build && node bench/whatsapp-nodes.ts [--numbers 24] [--servers 3] [--seconds 10] [--rounds 3] [--at-once 32]
The numbers are linked once, over PostgreSQL and Redis. Each round sends through one server and then through several, from every server to every
number, without and with an Idempotency-Key, so many at once in all. Told are the medians, and the ratio of several to one in the same round.
`);
  process.exit(0);
}

const seconds = Number(options.seconds);
const atOnce = Number(options['at-once']);
// Three servers have to compile three times as much with a third of the sends each.
const warmUpSeconds = 30;
/** How long servers may take to share the numbers, in milliseconds. */
const sharingMs = 120_000;

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
    await measure(data, await linked(data));
  } finally {
    data.remove();
  }
} finally {
  await network.stop();
  await redis.dispose();
  await postgres.dispose();
}

/** Links the numbers; gives what a text of each is addressed with. */
async function linked(data: GatewayData): Promise<object[]> {
  const gateway = await startGateway(data);
  try {
    return await linkAndGreet(gateway, network, { numbers: Number(options.numbers), recipients: 1 });
  } finally {
    await gateway.stop();
  }
}

async function measure(data: GatewayData, bodies: readonly object[]): Promise<void> {
  const variants = [1, Number(options.servers)].flatMap((servers) => [false, true].map((keyed) => ({ servers, keyed })));
  const rounds = new Map<string, Measured[]>(variants.map((variant) => [JSON.stringify(variant), []]));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const servers of [1, Number(options.servers)]) {
      const found = await through(servers, data, bodies);
      for (const [keyed, measured] of found) rounds.get(JSON.stringify({ servers, keyed }))?.push(measured);
    }
  }
  line('servers', 'key', 'sends/s', 'ratio to one server', 'p99 ms', 'CPU µs/send of the servers', 'failures');
  line('--:', '---', ...Array.from({ length: 5 }, () => '--:'));
  for (const { servers, keyed } of variants) {
    const results = rounds.get(JSON.stringify({ servers, keyed })) ?? [];
    const ones = rounds.get(JSON.stringify({ servers: 1, keyed })) ?? [];
    const ratios = results.map(({ perSecond }, round) => perSecond / (ones[round]?.perSecond ?? Number.NaN));
    line(
      String(servers),
      keyed ? 'yes' : 'no',
      median(results.map(({ perSecond }) => perSecond)).toFixed(0),
      median(ratios).toFixed(2),
      median(results.map(({ p99 }) => p99)).toFixed(0),
      median(results.map(({ cpu }) => cpu)).toFixed(0),
      String(results.reduce((sum, { failures }) => sum + failures, 0)),
    );
  }
}

/** Starts so many servers, waits until every number is open, and sends through all of them. */
async function through(servers: number, data: GatewayData, bodies: readonly object[]): Promise<[boolean, Measured][]> {
  const gateways: GatewayProcess[] = [];
  try {
    for (let place = 0; place < servers; place++) {
      const settings = { ...data.settings, DATA_DIR: join(data.settings.DATA_DIR ?? '', String(place)) };
      gateways.push(await startGateway({ ...data, settings }));
    }
    // The first server begins with all numbers and gives the others theirs, a few at a time.
    await evenlyShared(data, servers);
    for (const gateway of gateways) await allOpen(gateway);
    const found: [boolean, Measured][] = [];
    for (const keyed of [false, true]) {
      await loadAll(gateways, { bodies, keyed, seconds: warmUpSeconds });
      found.push([keyed, await loadAll(gateways, { bodies, keyed, seconds })]);
    }
    return found;
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.stop()));
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
  gateways: readonly GatewayProcess[],
  job: { bodies: readonly object[]; keyed: boolean; seconds: number },
): Promise<Measured> {
  const used = () => gateways.map(({ pid }) => cpuTime(pid)).reduce((sum, { main, others }) => sum + main + others, 0);
  const before = used();
  const connections = Math.ceil(atOnce / gateways.length);
  const results = await Promise.all(gateways.map((gateway) => load(gateway, { ...job, connections })));
  const sum = (of: (result: (typeof results)[number]) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    p99: Math.max(...results.map(({ p99 }) => p99)),
    failures: sum(({ failures }) => failures),
    cpu: (used() - before) / sum(({ answered }) => answered),
  };
}
