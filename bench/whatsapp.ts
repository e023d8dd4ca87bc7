import { parseArgs } from 'node:util';
import { line, median } from './table.ts';
import { measureIdle } from './whatsapp-idle.ts';
import { measureMemory } from './whatsapp-memory.ts';
import { startNetwork } from './whatsapp-network.ts';
import { measureSends, type Sends, sendVariants } from './whatsapp-sends.ts';

// Measures the gateway on the WhatsApp server for tests, beside the library alone: `npm run bench:whatsapp -- --help`.

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: '' },
    numbers: { type: 'string' },
    recipients: { type: 'string', default: '100' },
    sends: { type: 'string', default: '250000' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`npm run bench:whatsapp -- [--seconds 8] [--rounds 3] [--only TEXT] [--numbers 1000] [--sends 250000] [--profile FOLDER]
Sends: each round measures every variant once; ratios are to the library alone in the same round, and the median round counts.
--only picks the variant with this name, or those whose name contains TEXT ("raw" ones that others are compared with always run).
--only idle: links so many idle numbers instead (--numbers), tells their memory, restarts the gateway and tells how long they take to come back.
--only memory: sends so many texts (--sends) from --numbers (1) numbers to --recipients (100), and tells the memory meanwhile and a minute later.
--profile: the gateway writes CPU profiles of its threads to this folder.
`);
  process.exit(0);
}

const nodeOptions = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
const network = await startNetwork();
try {
  if (options.only === 'idle') {
    const found = await measureIdle(network, { numbers: Number(options.numbers ?? 1000), restarts: Number(options.rounds), nodeOptions });
    for (const [what, figure] of found) line(what, figure);
  } else if (options.only === 'memory') {
    const { sends, recipients, numbers = 1 } = options;
    const found = await measureMemory(network, {
      sends: Number(sends),
      numbers: Number(numbers),
      recipients: Number(recipients),
      nodeOptions,
    });
    for (const [what, figure] of found) line(what, figure);
  } else {
    printSends(await allSends());
  }
} finally {
  await network.stop();
}

interface Row {
  readonly measured: Sends;
  readonly ratio: number;
}

async function allSends(): Promise<Map<string, Row[]>> {
  const named = sendVariants.filter(({ name }) => name === options.only);
  const picked = named.length > 0 ? named : sendVariants.filter(({ name }) => name.includes(options.only));
  const needed = new Set(picked.flatMap((variant) => [variant.name, variant.comparedWith]));
  const rows = new Map<string, Row[]>();
  for (let round = 0; round < Number(options.rounds); round++) {
    const perSecond = new Map<string, number>();
    for (const variant of sendVariants.filter(({ name }) => needed.has(name))) {
      const measured = await measureSends(variant, network, { seconds: Number(options.seconds), nodeOptions });
      perSecond.set(variant.name, measured.perSecond);
      const ratio = measured.perSecond / (perSecond.get(variant.comparedWith) ?? Number.NaN);
      rows.set(variant.name, [...(rows.get(variant.name) ?? []), { measured, ratio }]);
    }
  }
  return rows;
}

function printSends(rows: Map<string, Row[]>): void {
  line('variant', 'sends/s', 'ratio to raw', 'p50 ms', 'p99 ms', 'main thread CPU µs/send', 'other threads', "network's", 'failures');
  line('---', ...Array.from({ length: 8 }, () => '--:'));
  for (const [name, results] of rows) {
    const of = (pick: (row: Row) => number, digits: number) => median(results.map(pick)).toFixed(digits);
    line(
      name,
      of(({ measured }) => measured.perSecond, 0),
      of(({ ratio }) => ratio, 2),
      of(({ measured }) => measured.p50, 0),
      of(({ measured }) => measured.p99, 0),
      of(({ measured }) => measured.cpu.main, 0),
      of(({ measured }) => measured.cpu.others, 0),
      of(({ measured }) => measured.networkCpu, 0),
      String(results.reduce((sum, { measured }) => sum + measured.failures, 0)),
    );
  }
}
