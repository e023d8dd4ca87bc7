import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres.ts';

// Measures the way of a send against a bare Fastify echo of the same payload in the same run: `npm run bench -- --help`.

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`npm run bench -- [--seconds 8] [--rounds 3] [--only TEXT]
Each round measures the bare echo and then every variant, so that all ratios come from neighbours in time; the median round counts.
The server runs on core 0, the load on core 1. --only picks the variants whose name contains TEXT. PostgreSQL runs on core 1
beside the load, with fsync on.
`);
  process.exit(0);
}

interface Target {
  readonly address: string;
  readonly headers: Record<string, string>;
  readonly body: object;
}

interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

/** Microseconds of CPU the server used per request, its threads included. */
interface Cost {
  readonly cpu: number;
}

interface Variant {
  readonly name: string;
  readonly keyed: boolean;
  readonly env: Record<string, string>;
}

const variants: Variant[] = [
  { name: 'SQLite FULL', keyed: false, env: {} },
  { name: 'SQLite FULL, key', keyed: true, env: {} },
  { name: 'SQLite NORMAL', keyed: false, env: { DATABASE_DURABILITY: 'normal' } },
  { name: 'SQLite NORMAL, key', keyed: true, env: { DATABASE_DURABILITY: 'normal' } },
  { name: 'SQLite FULL, sandbox', keyed: false, env: { BENCH_NETWORK: 'sandbox' } },
  { name: 'SQLite FULL, sandbox, key', keyed: true, env: { BENCH_NETWORK: 'sandbox' } },
  { name: 'PostgreSQL', keyed: false, env: { BENCH_STORE: 'postgres' } },
  { name: 'PostgreSQL, key', keyed: true, env: { BENCH_STORE: 'postgres' } },
].filter((variant) => variant.name.includes(options.only));

/** Runs a file of this folder on one core; Node's own IPC tells what it found. */
function onCore(core: number, file: string, args: string[], env: Record<string, string> = {}): ChildProcess {
  return fork(join(import.meta.dirname, file), args, {
    execPath: 'taskset',
    execArgv: ['-c', String(core), process.execPath, '--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...env },
  });
}

async function message<T>(child: ChildProcess): Promise<T> {
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`${child.spawnargs.join(' ')} ended with ${code}`);
  });
  exited.catch(() => undefined);
  const [value] = await Promise.race([once(child, 'message'), exited]);
  return value as T;
}

async function measure(server: string, keyed: boolean, env: Record<string, string>): Promise<Measured & Cost> {
  const serving = onCore(0, server, [], env);
  const target = await message<Target>(serving);
  const load = async (seconds: number) => {
    const child = onCore(1, 'load.ts', [JSON.stringify({ ...target, keyed, seconds })]);
    const result = await message<Measured>(child);
    return result;
  };
  await load(3);
  const before = cpuTime(serving.pid);
  const result = await load(Number(options.seconds));
  const cpu = (cpuTime(serving.pid) - before) / (result.perSecond * Number(options.seconds));
  const gone = once(serving, 'exit');
  serving.kill('SIGTERM');
  await gone;
  return { ...result, cpu };
}

/** CPU time of a process so far in microseconds; NaN where /proc does not tell. */
function cpuTime(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime and stime are in hundredths of a second (proc(5)).
    return (Number(fields[11]) + Number(fields[12])) * 10_000;
  } catch {
    return Number.NaN;
  }
}

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
const rows = new Map<string, { measured: Measured & Cost; ratio: number }[]>();
const note = (name: string, measured: Measured & Cost, ratio: number) => rows.set(name, [...(rows.get(name) ?? []), { measured, ratio }]);

const postgres = variants.some(({ env }) => env.BENCH_STORE === 'postgres') ? await startPostgres({ durable: true }) : null;
const databaseOf = async (env: Record<string, string>): Promise<Record<string, string>> =>
  env.BENCH_STORE === 'postgres' && postgres !== null ? { ...env, DATABASE_URL: (await createDatabase(postgres.url)).url } : env;

for (let round = 0; round < Number(options.rounds); round++) {
  const bare = {
    false: await measure('bare-server.ts', false, {}),
    true: await measure('bare-server.ts', true, {}),
  };
  note('bare Fastify', bare.false, 1);
  note('bare Fastify, key', bare.true, 1);
  for (const { name, keyed, env } of variants) {
    const measured = await measure('gateway-server.ts', keyed, await databaseOf(env));
    note(name, measured, measured.perSecond / bare[`${keyed}`].perSecond);
  }
}

await postgres?.dispose();

const line = (...cells: string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
line('variant', 'req/s', 'ratio to bare', 'p50 ms', 'p99 ms', 'server CPU µs/request', 'failures');
line('---', '--:', '--:', '--:', '--:', '--:', '--:');
for (const [name, results] of rows) {
  const of = (pick: (result: { measured: Measured & Cost; ratio: number }) => number) => median(results.map(pick));
  line(
    name,
    of((r) => r.measured.perSecond).toFixed(0),
    of((r) => r.ratio).toFixed(2),
    of((r) => r.measured.p50).toFixed(1),
    of((r) => r.measured.p99).toFixed(1),
    of((r) => r.measured.cpu).toFixed(1),
    String(results.reduce((sum, r) => sum + r.measured.failures, 0)),
  );
}
