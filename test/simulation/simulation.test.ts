import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rounds } from '../support/run-options.ts';
import { SimulatedDatabase } from './database.ts';
import { type Mutation, mutations } from './mutations.ts';
import { dayMs, planOf, without } from './plan.ts';
import { shrink } from './shrink.ts';
import { simulate } from './simulate.ts';

const seeds = rounds({ short: 1_000, long: 20_000 });
/** So many take a busy machine less than the limit of a test. */
const seedsAtOnce = 250;
/** A mistake that is not found within so many seeds would not be found in practice. */
const mutationSeeds = 3000;
/** Where each mistake was found last; when the seeds have changed their course, all are searched. */
const foundAt: Readonly<Record<Mutation, number>> = {
  no_epoch_check: 139,
  new_id_on_retake: 15,
  claim_after_hand_over: 15,
  socket_closes_late: 5,
  dead_claims_stay: 33,
  settled_too_early: 346,
  short_leases: 10,
  unknown_forgotten: 15,
  takes_what_is_owned: 10,
  releases_others: 15,
  keys_expire_early: 61,
  midnight_missed: 10,
  own_clocks: 8,
  units_end_with_lease: 2821,
  no_deadline: 44,
  future_expiries_stay: 5,
  reports_overlap: 49,
  failed_reports_forgotten: 11,
};
/** Two storms with a week between them, and nothing that happens in either. */
const quietWeek = { ...planOf(42), storms: [0, 7 * dayMs], faults: [], sends: [] };
let database: SimulatedDatabase;
beforeAll(async () => {
  database = await SimulatedDatabase.open();
});
afterAll(() => database.close());

/** What went wrong under the first of these seeds under which something did; null: nothing under any. */
async function firstFailure(from: number, to: number, mutation: Mutation | null = null): Promise<{ seed: number; failure: string } | null> {
  for (let seed = from; seed <= to; seed++) {
    const { failure } = await simulate(planOf(seed), { database, mutation });
    if (failure !== null) return { seed, failure };
  }
  return null;
}

describe('nothing is sent twice, lost, miscounted or owned twice (npm run simulate -- --seed N shows one)', () => {
  it.each(Array.from({ length: seeds / seedsAtOnce }, (_, part) => [part * seedsAtOnce + 1, (part + 1) * seedsAtOnce]))(
    'under the seeds from %i to %i',
    async (from, to) => {
      expect(await firstFailure(from, to)).toBeNull();
    },
  );
});

// A trial's unit taken twice, a second message, also of a key that was first used a day before, a halted server that logged in,
// numbers given back before their links had closed, days of numbers that were not counted, the state of a number reported by a session that it had before.
it.each([422, 1514, 1545, 3061, 4690, 9966, 10626, 11628])('seed %i, which once found a fault', async (seed) => {
  expect(await firstFailure(seed, seed)).toBeNull();
});

describe('finds', () => {
  it.each(Object.keys(mutations) as Mutation[])('%s', async (mutation) => {
    const known = await firstFailure(foundAt[mutation], foundAt[mutation], mutation);
    expect(known ?? (await firstFailure(1, mutationSeeds, mutation))).not.toBeNull();
  });
});

it('skips the heartbeats of quiet hours', async () => {
  const plan = planOf(17);
  const [skipping, whole] = [await simulate(plan, { database }), await simulate(plan, { database, everyHeartbeat: true })];
  expect([skipping.failure, whole.failure]).toEqual([null, null]);
  expect(skipping.skippedMs).toBeGreaterThan(60_000);
  expect(whole.skippedMs).toBe(0);
  expect(whole.steps).toBeGreaterThan(2 * skipping.steps);
});

it('lives through a quiet week in fewer than 50,000 steps, and counts its days', async () => {
  const { failure, simulatedMs, steps } = await simulate(quietWeek, { database });
  expect(failure).toBeNull();
  expect(simulatedMs).toBeGreaterThan(7 * dayMs);
  expect(steps).toBeLessThan(50_000);
  expect((await simulate(quietWeek, { database, mutation: 'midnight_missed' })).failure).toBe('0 numbers are counted for 2026-02-01');
});

it('repeats a seed exactly, and a failure after it was shrunk', async () => {
  const plan = planOf(5);
  expect(await simulate(plan, { database })).toEqual(await simulate(plan, { database }));
  const failureOf = async (tried: typeof plan) => (await simulate(tried, { database, mutation: 'socket_closes_late' })).failure;
  const left = await shrink(plan, async (tried) => (await failureOf(tried)) !== null);
  expect(left.size).toBeGreaterThan(0);
  expect(await failureOf(without(plan, left))).not.toBeNull();
  expect(await failureOf(without(plan, left))).toBe(await failureOf(without(plan, left)));
});
