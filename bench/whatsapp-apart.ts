import { parseArgs } from 'node:util';
import { createDatabase } from '../test/support/databases.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { cpuTime } from './processes.ts';
import { line, median } from './table.ts';
import { type NetworkProcess, startNetwork } from './whatsapp-network.ts';
import { type Subject, startSubject } from './whatsapp-sends.ts';

// Measures what several processes that share nothing lose to one on the same cores: `node bench/whatsapp-apart.ts --help`.

const { values: options } = parseArgs({
  options: {
    numbers: { type: 'string', default: '24' },
    processes: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    'warm-up': { type: 'string', default: '30' },
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '32' },
    'only-postgres': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`npm run build && node bench/whatsapp-apart.ts [--numbers 24] [--processes 3] [--seconds 10] [--warm-up 30] [--rounds 3] [--at-once 32]
  [--only-postgres]
Sends through one process with all numbers, and then through several that know nothing of each other, with a share of the numbers each and as
many sends at once in all. Processes are the library alone with everything in memory, the gateway with its embedded database, and the gateway
with a database of its own on one PostgreSQL. Told are the medians, and the ratio of several to one in the same round: what of
bench/whatsapp-nodes.ts is the price of several processes, with nothing to agree upon and nothing to forward.
`);
  process.exit(0);
}

const numbers = Number(options.numbers);
const several = Number(options.processes);
const seconds = Number(options.seconds);
const atOnce = Number(options['at-once']);

interface Measured {
  readonly perSecond: number;
  /** Microseconds per send, of all processes. */
  readonly cpu: number;
  readonly failures: number;
}

const programs = {
  library: { through: 'library', postgres: false },
  gateway: { through: 'gateway', postgres: false },
  'gateway, PostgreSQL': { through: 'gateway', postgres: true },
} as const;
const measured = (Object.keys(programs) as (keyof typeof programs)[]).filter(
  (name) => !options['only-postgres'] || programs[name].postgres,
);
const variants = measured.flatMap((program) => [1, several].map((processes) => ({ program, processes })));
type Variant = (typeof variants)[number];

const rounds = new Map<Variant, Measured[]>(variants.map((variant) => [variant, []]));
const postgres = await startPostgres({ durable: true });
try {
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const variant of variants) rounds.get(variant)?.push(await measure(variant));
  }
} finally {
  await postgres.dispose();
}
line('processes', 'sends/s', 'ratio to one', 'CPU µs/send', 'failures');
line('---', ...Array.from({ length: 4 }, () => '--:'));
for (const variant of variants) {
  const results = rounds.get(variant) ?? [];
  const ones = rounds.get(variants.find(({ program, processes }) => program === variant.program && processes === 1) ?? variant) ?? [];
  line(
    `${variant.program}, ${variant.processes}`,
    median(results.map(({ perSecond }) => perSecond)).toFixed(0),
    median(results.map(({ perSecond }, round) => perSecond / (ones[round]?.perSecond ?? Number.NaN))).toFixed(2),
    median(results.map(({ cpu }) => cpu)).toFixed(0),
    String(results.reduce((sum, { failures }) => sum + failures, 0)),
  );
}

async function measure({ program, processes }: Variant): Promise<Measured> {
  const network = await startNetwork();
  const subjects: Subject[] = [];
  try {
    for (let place = 0; place < processes; place++) subjects.push(await start(network, program, processes));
    await loadAll(subjects, Number(options['warm-up']));
    return await loadAll(subjects, seconds);
  } finally {
    await Promise.all(subjects.map((subject) => subject.stop()));
    await network.stop();
  }
}

async function start(network: NetworkProcess, program: Variant['program'], processes: number): Promise<Subject> {
  const { through, postgres: onPostgres } = programs[program];
  const share = { numbers: Math.round(numbers / processes), recipients: 1, inFlight: Math.ceil(atOnce / processes) };
  const settings = onPostgres ? { DATABASE_URL: (await createDatabase(postgres.url)).url, SECRET_KEY: 'ab'.repeat(32) } : {};
  return startSubject({ through, ...share, keyed: false, cold: false }, network, { settings });
}

async function loadAll(subjects: readonly Subject[], forSeconds: number): Promise<Measured> {
  const used = () => subjects.map(({ pid }) => cpuTime(pid)).reduce((sum, { main, others }) => sum + main + others, 0);
  const before = used();
  const results = await Promise.all(subjects.map((subject) => subject.load(forSeconds)));
  const sum = (of: (result: (typeof results)[number]) => number) => results.reduce((total, result) => total + of(result), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    cpu: (used() - before) / sum(({ answered }) => answered),
    failures: sum(({ failures }) => failures),
  };
}
