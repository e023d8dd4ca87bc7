import type { ChildProcess } from 'node:child_process';
import { parseArgs } from 'node:util';
import { createDatabase } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startRedis } from '../test/support/redis.ts';
import type { LoadJob, LoadResult } from './load.ts';
import { cpuTime, end, nextMessage, runFile } from './processes.ts';
import { line, median } from './table.ts';

// Measures the way of a send against a bare Fastify echo of the same payload in the same run: `npm run bench -- --help`.

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    windows: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    'no-fsync': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`npm run bench -- [--rounds 3] [--windows 2] [--seconds 10] [--only TEXT] [--no-fsync]
In each round every variant is started anew, beside the bare echo, and loaded for so many windows of so many seconds; before or after each of
them, whichever chance says, the bare echo is. Short windows let deferred work (checkpoints, collecting memory) fall into the neighbour's time. A ratio is that of such neighbours, because the speed of a machine changes within seconds.
It prints medians over all windows. The servers run on core 0, the load on core 1. --only picks the variants whose name contains TEXT.
PostgreSQL and Redis run on core 1 beside the load, PostgreSQL with fsync on; --no-fsync turns it off, which shows what the disk takes. Two servers share core 0;
there the one that does not own the number is compared with the one that does, too.
`);
  process.exit(0);
}

interface Variant {
  readonly name: string;
  readonly keyed: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** A second server is asked, which has the one that owns the number answer. */
  readonly peer?: boolean;
}

const several = { BENCH_STORE: 'postgres', BENCH_REDIS: '1', SECRET_KEY: 'ab'.repeat(32) };

const variants: Variant[] = [
  { name: 'SQLite FULL', keyed: false, env: {} },
  { name: 'SQLite FULL, key', keyed: true, env: {} },
  { name: 'SQLite NORMAL', keyed: false, env: { DATABASE_DURABILITY: 'normal' } },
  { name: 'SQLite NORMAL, key', keyed: true, env: { DATABASE_DURABILITY: 'normal' } },
  { name: 'SQLite NORMAL, metrics', keyed: false, env: { DATABASE_DURABILITY: 'normal', METRICS_TOKEN: 'a-token-of-the-monitor' } },
  { name: 'SQLite FULL, sandbox', keyed: false, env: { BENCH_NETWORK: 'sandbox' } },
  { name: 'SQLite FULL, sandbox, key', keyed: true, env: { BENCH_NETWORK: 'sandbox' } },
  { name: 'PostgreSQL', keyed: false, env: { BENCH_STORE: 'postgres' } },
  { name: 'PostgreSQL, key', keyed: true, env: { BENCH_STORE: 'postgres' } },
  { name: 'PostgreSQL and Redis', keyed: false, env: several },
  { name: 'PostgreSQL and Redis, key', keyed: true, env: several },
  { name: 'PostgreSQL and Redis, other owner', keyed: false, env: several, peer: true },
  { name: 'PostgreSQL and Redis, other owner, key', keyed: true, env: several, peer: true },
].filter((variant) => variant.name.includes(options.only));

interface Server {
  readonly child: ChildProcess;
  /** The one that is asked instead. */
  readonly peer: ChildProcess | null;
  readonly target: Pick<LoadJob, 'address' | 'headers' | 'bodies'>;
}

/** What was measured of a server in one window; `cpu` in microseconds per request, all threads of the server. */
interface Window extends LoadResult {
  readonly cpu: number;
}

interface Measured extends Window {
  /** Requests per second against those of the bare server in the window beside. */
  readonly ratio: number;
}

async function serve(file: string, env: Readonly<Record<string, string>> = {}): Promise<Server> {
  const child = runFile(file, { core: 0, env });
  return { child, peer: null, target: await nextMessage<Server['target']>(child) };
}

/** One more server of the same installation on the same core; it is asked from now on. */
async function withPeer({ child, target }: Server, env: Readonly<Record<string, string>>): Promise<Server> {
  const peer = runFile('gateway-server.ts', { core: 0, env: { ...env, BENCH_PEER: '1' } });
  const { address } = await nextMessage<{ readonly address: string }>(peer);
  return { child, peer, target: { ...target, address } };
}

/** Microseconds of CPU that the server has used so far, with its peer. */
function cpuOf({ child, peer }: Server): number {
  return [child, ...(peer === null ? [] : [peer])]
    .map(({ pid = 0 }) => cpuTime(pid))
    .reduce((sum, { main, others }) => sum + main + others, 0);
}

async function load(server: Server, keyed: boolean, seconds: number): Promise<Window> {
  const before = cpuOf(server);
  const job: LoadJob = { ...server.target, keyed, seconds };
  loader.send(job);
  const result = await nextMessage<LoadResult>(loader, seconds * 1000);
  return { ...result, cpu: (cpuOf(server) - before) / result.answered };
}

/** The variant's windows, each with one of the other server beside it. */
async function compare(
  variant: Server,
  keyed: boolean,
  other = bareServer,
): Promise<{ readonly bare: Window; readonly measured: Measured }[]> {
  const seconds = Number(options.seconds);
  for (const server of [other, variant]) await load(server, keyed, 3);
  const pairs: { bare: Window; measured: Measured }[] = [];
  for (let window = 0; window < Number(options.windows); window++) {
    const bareFirst = Math.random() < 0.5;
    const before = bareFirst ? await load(other, keyed, seconds) : null;
    const measured = await load(variant, keyed, seconds);
    const bare = before ?? (await load(other, keyed, seconds));
    pairs.push({ bare, measured: { ...measured, ratio: measured.perSecond / bare.perSecond } });
  }
  return pairs;
}

const rows = new Map<string, Measured[]>();
const note = (name: string, measured: Measured) => rows.set(name, [...(rows.get(name) ?? []), measured]);

const postgres = variants.some(({ env }) => env.BENCH_STORE === 'postgres') ? await startPostgres({ durable: !options['no-fsync'] }) : null;
const redis = variants.some(({ env }) => 'BENCH_REDIS' in env) ? await startRedis() : null;
const loader = runFile('load.ts', { core: 1 });
const bareServer = await serve('bare-server.ts');
for (let round = 0; round < Number(options.rounds); round++) {
  for (const { name, keyed, env, peer = false } of variants) {
    const database = env.BENCH_STORE === 'postgres' && postgres !== null ? { DATABASE_URL: (await createDatabase(postgres.url)).url } : {};
    const shared = 'BENCH_REDIS' in env && redis !== null ? { REDIS_URL: redis.url } : {};
    const all = { ...env, ...database, ...shared };
    const owner = await serve('gateway-server.ts', all);
    const server = peer ? await withPeer(owner, all) : owner;
    for (const { bare, measured } of await compare(server, keyed)) {
      note(keyed ? 'bare Fastify, key' : 'bare Fastify', { ...bare, ratio: 1 });
      note(name, measured);
    }
    if (server.peer !== null) {
      // The same number, asked of the server that owns it.
      const own = { ...server, target: owner.target };
      for (const { bare, measured } of await compare(server, keyed, own)) {
        note(`${name}: its owner asked itself`, { ...bare, ratio: 1 });
        note(`${name}: ratio to that`, measured);
      }
      await end(server.peer, 'SIGTERM');
    }
    await end(server.child, 'SIGTERM');
  }
}
await end(bareServer.child, 'SIGTERM');
await end(loader, 'SIGTERM');
await postgres?.dispose();
await redis?.dispose();

line('variant', 'req/s', 'ratio to bare', 'p50 ms', 'p99 ms', 'server CPU µs/request', 'failures');
line('---', '--:', '--:', '--:', '--:', '--:', '--:');
for (const [name, windows] of rows) {
  const of = (pick: (window: Measured) => number) => median(windows.map(pick));
  line(
    name,
    of((window) => window.perSecond).toFixed(0),
    of((window) => window.ratio).toFixed(2),
    of((window) => window.p50).toFixed(1),
    of((window) => window.p99).toFixed(1),
    of((window) => window.cpu).toFixed(1),
    String(windows.reduce((sum, window) => sum + window.failures, 0)),
  );
}
