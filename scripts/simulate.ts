import { parseArgs } from 'node:util';
import { SimulatedDatabase } from '../test/simulation/database.ts';
import { type Mutation, mutations } from '../test/simulation/mutations.ts';
import { planOf, without } from '../test/simulation/plan.ts';
import { shrink } from '../test/simulation/shrink.ts';
import { simulate } from '../test/simulation/simulate.ts';

// Simulates several servers under many seeds: npm run simulate -- --seeds 100000. A seed that fails is shrunk, shown as a story, and printed as the
// command that repeats it. Exit code 1 when a seed failed.
const { values } = parseArgs({
  options: {
    /** How many seeds, from `--from` on. */
    seeds: { type: 'string', default: '1000' },
    from: { type: 'string', default: '1' },
    /** This seed alone, with its story. */
    seed: { type: 'string' },
    /** The parts of its plan that are left out, as a shrunk failure names them. */
    without: { type: 'string', default: '' },
    /** One of test/simulation/mutations.ts, to see it found. */
    mutation: { type: 'string' },
    /** Has every heart beat in quiet hours too. */
    'every-heartbeat': { type: 'boolean', default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const mutation =
  values.mutation === undefined ? null : (Object.keys(mutations).find((name) => name === values.mutation) as Mutation | undefined);
if (mutation === undefined) throw new Error(`--mutation is one of ${Object.keys(mutations).join(', ')}`);
const [from, count] = [Number(values.seed ?? values.from), values.seed === undefined ? Number(values.seeds) : 1];
if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count)) throw new Error('--seed, --from and --seeds are whole numbers');
const everyHeartbeat = values['every-heartbeat'];
const left = new Set(values.without.split(',').filter(Boolean).map(Number));

const database = await SimulatedDatabase.open();
const startedAt = performance.now();
let [steps, simulatedMs, skippedMs] = [0, 0, 0];
for (let seed = from; seed < from + count && process.exitCode === undefined; seed++) {
  const plan = without(planOf(seed), left);
  const outcome = await simulate(plan, { database, mutation, everyHeartbeat, ...(values.seed === undefined ? {} : { onLine: say }) });
  steps += outcome.steps;
  simulatedMs += outcome.simulatedMs;
  skippedMs += outcome.skippedMs;
  if (outcome.failure === null) continue;
  process.exitCode = 1;
  say(`seed ${seed}: ${outcome.failure}`);
  if (values.seed !== undefined) break;
  const fewest = await shrink(plan, async (smaller) => (await simulate(smaller, { database, mutation, everyHeartbeat })).failure !== null);
  say(JSON.stringify(without(plan, fewest)));
  await simulate(without(plan, fewest), { database, mutation, everyHeartbeat, onLine: say });
  const parts = fewest.size === 0 ? '' : ` --without ${[...fewest].join(',')}`;
  say(`again: npm run simulate -- --seed ${seed}${parts}${mutation === null ? '' : ` --mutation ${mutation}`}`);
}
const inHours = (ms: number) => (ms / 3_600_000).toFixed(1);
const seconds = (performance.now() - startedAt) / 1000;
say(
  `${steps} steps, ${inHours(simulatedMs)} simulated hours (${inHours(skippedMs)} of them quiet) in ${seconds.toFixed(0)} s, ` +
    `${(simulatedMs / 60_000 / seconds).toFixed(0)} hours per minute`,
);
