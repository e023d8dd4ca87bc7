import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createAccount } from '../src/accounts/index.ts';
import { newId } from '../src/core/index.ts';
import { openPostgresStore } from '../src/store/postgres/postgres-store.ts';
import { createDatabase } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startRedis } from '../test/support/redis.ts';
import { cpuTime, end, nextMessage, residentMb, runFile } from './processes.ts';
import { line } from './table.ts';

// Measures what numbers cost that several servers own while nobody sends anything: `node bench/idle-leases.ts --help`.

const { values: options } = parseArgs({
  options: {
    numbers: { type: 'string', default: '10000' },
    servers: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '30' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/idle-leases.ts [--numbers 10000] [--servers 2] [--seconds 30]
So many numbers that are not linked are shared by so many servers over PostgreSQL and Redis. Told is the CPU that servers, PostgreSQL and Redis
use while nothing is asked of them, and how long it takes until every number has an owner.
`);
  process.exit(0);
}

const count = Number(options.numbers);
const postgres = await startPostgres({ durable: true });
const redis = await startRedis();
const env = { DATABASE_URL: (await createDatabase(postgres.url)).url, REDIS_URL: redis.url, SECRET_KEY: 'ab'.repeat(32), BENCH_PEER: '1' };
const store = await openPostgresStore(env.DATABASE_URL);
try {
  await addNumbers();
  const begun = performance.now();
  const servers = Array.from({ length: Number(options.servers) }, () => runFile('gateway-server.ts', { env }));
  await Promise.all(servers.map((server) => nextMessage(server)));
  while ((await ownedNumbers()) < count) await sleep(100);
  const takenMs = performance.now() - begun;
  // Until what the start has left behind is done.
  await sleep(15_000);
  const whole = () => ({
    servers: servers.map(({ pid = 0 }) => cpuOf([pid])),
    PostgreSQL: cpuOf(childrenOf(postmaster())),
    Redis: cpuOf([redisPid()]),
  });
  const before = whole();
  await sleep(Number(options.seconds) * 1000);
  const after = whole();
  const share = (from: number, to: number) => `${((to - from) / Number(options.seconds) / 10_000).toFixed(2)} %`;
  line('what', 'of one core', 'MB resident');
  line('---', '--:', '--:');
  servers.forEach(({ pid = 0 }, place) => {
    line(`server ${place + 1}`, share(before.servers[place] ?? 0, after.servers[place] ?? 0), residentMb(pid).toFixed(0));
  });
  line('PostgreSQL', share(before.PostgreSQL, after.PostgreSQL), '');
  line('Redis', share(before.Redis, after.Redis), '');
  line(`${count} numbers owned after`, `${(takenMs / 1000).toFixed(1)} s`, '');
  for (const server of servers) await end(server, 'SIGTERM');
} finally {
  await store.close();
  await redis.dispose();
  await postgres.dispose();
}

async function addNumbers(): Promise<void> {
  await store.migrate();
  const now = Date.now();
  const { id } = await createAccount(store, { name: 'bench', plan: 'scale' }, { actor: { kind: 'system' }, now });
  const atOnce = 500;
  for (let from = 0; from < count; from += atOnce) {
    const rows = Array.from({ length: Math.min(atOnce, count - from) }, () => ({
      ...{ id: newId(), account_id: id, network: 'sandbox' as const, label: null, phone_number: null, linked: 0 as const },
      ...{ conflict: 0 as const, created_at: now },
    }));
    await store.db.insertInto('instances').values(rows).execute();
  }
}

async function ownedNumbers(): Promise<number> {
  const { owned } = await store.db
    .selectFrom('leases')
    .select((row) => row.fn.countAll<string>().as('owned'))
    .where('node_id', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(owned);
}

function cpuOf(pids: readonly number[]): number {
  return pids.map(cpuTime).reduce((sum, { main, others }) => sum + main + others, 0);
}

/** The process whose command line has these words. */
function processWith(...words: readonly string[]): number {
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const command = commandOf(name);
    if (words.every((word) => command.includes(word))) return Number(name);
  }
  throw new Error(`no process with ${words.join(' ')}`);
}

/** Empty for a process that is gone. */
function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function postmaster(): number {
  return processWith('postgres', `-p ${new URL(postgres.url).port}`, '-k');
}

function redisPid(): number {
  return processWith('redis-server', `:${redis.port}`);
}

/** The process and its children. */
function childrenOf(pid: number): number[] {
  return [pid, ...readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)];
}
