import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, Store } from '../../src/store/index.ts';
import { createLeases } from '../../src/store/postgres/leases.ts';
import { SimulatedDatabase } from '../simulation/database.ts';
import { simulatedHotPath } from '../simulation/hot-path.ts';
import { type Carry, simulatedLeases } from '../simulation/leases.ts';
import type { Mutation } from '../simulation/mutations.ts';
import { setDatabaseClock } from '../support/database-clock.ts';
import { rounds } from '../support/run-options.ts';
import { openTestStore } from '../support/stores.ts';
import { start } from './seed.ts';
import { numbers, type Side, type Step, step, ttlMs, Walk } from './simulated-steps.ts';

const steps = fc.array(step, { minLength: 10, maxLength: 60, size: 'max' });
/** The mistakes of the simulation that lie in its store. */
const mistakes: readonly Mutation[] = [
  'no_epoch_check',
  'new_id_on_retake',
  'claim_after_hand_over',
  'dead_claims_stay',
  'unknown_forgotten',
  'takes_what_is_owned',
  'releases_others',
  'keys_expire_early',
  'own_clocks',
  'units_end_with_lease',
  'no_deadline',
  'midnight_missed',
];

// The simulation of several servers (test/simulation) stands on this model, and proves nothing where it is not like PostgreSQL.
describe("the simulation's store and PostgreSQL", () => {
  let postgres: Store & { dispose(): Promise<void> };
  let model: SimulatedDatabase;
  beforeAll(async () => {
    model = await SimulatedDatabase.open();
    postgres = await openTestStore('postgres');
  });
  afterAll(async () => {
    model.close();
    await postgres.dispose();
  });

  /** The first difference between the two that these steps show; null: there is none. */
  async function difference(sequence: readonly Step[], mutation: Mutation | null = null): Promise<unknown> {
    model.begin();
    try {
      await sql`truncate nodes, leases, claims, trial_reservations, settlements, usage_sends, usage_number_days, usage_sends_by_month, usage_number_days_by_month, credentials, instances, accounts
        cascade`.execute(postgres.db);
      const [ours, theirs] = [new Walk(await modelSide(model, mutation)), new Walk(await postgresSide(postgres))];
      for (const [place, taken] of sequence.entries()) {
        const [asModel, asPostgres] = [await ours.take(taken), await theirs.take(taken)];
        if (!same(asModel, asPostgres)) return { place, taken, asModel, asPostgres };
      }
      const [asModel, asPostgres] = [await ours.contents(), await theirs.contents()];
      return same(asModel, asPostgres) ? null : { asModel, asPostgres };
    } finally {
      model.end();
    }
  }

  it('answer the same to any sequence of calls, and hold the same afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        // Thrown as text: of a failed expectation the report shows the steps alone.
        const found = await difference(sequence);
        if (found !== null) throw new Error(JSON.stringify(found));
      }),
      { numRuns: rounds({ short: 60, long: 500 }) },
    );
  });

  it.each(mistakes)('are told apart when the model makes a mistake: %s', async (mutation) => {
    const found = await fc.check(
      fc.asyncProperty(steps, async (sequence) => (await difference(sequence, mutation)) === null),
      { numRuns: 300, seed: 1, endOnFailure: true },
    );
    expect(found.failed).toBe(true);
  });
});

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

async function modelSide(database: SimulatedDatabase, mutation: Mutation | null): Promise<Side> {
  const carry: Carry = async (_, atom) => atom();
  let now = start;
  const clock = () => now;
  let nodes = 0;
  const leases = () => simulatedLeases(database, { carry, now: clock, mutation, newNodeId: () => `model ${++nodes}` });
  const db = database.direct;
  await fill(db);
  return {
    leases: [leases(), leases()],
    hot: simulatedHotPath(database, { carry, now: clock, leaseNow: clock, mutation, wrote: () => undefined, counted: () => undefined }),
    async timeIs(time) {
      now = time;
    },
    ...interventions(db, clock),
  };
}

async function postgresSide({ db, hot }: Store): Promise<Side> {
  await fill(db);
  let now = start;
  const timeIs = async (at: number) => {
    now = at;
    await setDatabaseClock(db, { at });
  };
  await timeIs(start);
  return { leases: [createLeases(db), createLeases(db)], hot, timeIs, ...interventions(db, () => now) };
}

function interventions(db: Kysely<Database>, now: () => number): Omit<Side, 'leases' | 'hot' | 'timeIs'> {
  return {
    expire: (nodeId) => db.updateTable('nodes').set({ expires_at: 1 }).where('id', '=', nodeId).execute(),
    setBack: () =>
      db
        .updateTable('nodes')
        .set((eb) => ({ expires_at: eb('expires_at', '+', 2 * ttlMs) }))
        .execute(),
    async passDeadlines() {
      for (const table of ['claims', 'trial_reservations'] as const) await db.updateTable(table).set({ deadline: 1 }).execute();
    },
    async contents() {
      const settlements = await db.selectFrom('settlements').select('requests').execute();
      return {
        leases: await db.selectFrom('leases').select(['instance_id', 'node_id', 'epoch', 'status']).execute(),
        nodes: (await db.selectFrom('nodes').select(['id', 'name', 'draining', 'expires_at']).execute()).map(({ expires_at, ...node }) => ({
          ...node,
          isFarAhead: expires_at > now() + 2 * ttlMs,
        })),
        claims: await db
          .selectFrom('claims')
          .select(['account_id', 'key', 'fingerprint', 'message_id', 'state', 'owner', 'node', 'created_at', 'deadline', 'provider_status'])
          .execute(),
        reserved: await db.selectFrom('trial_reservations').select(['id', 'account_id', 'node', 'deadline']).execute(),
        // Several may be noted in one row.
        settled: settlements.flatMap(({ requests }) => (JSON.parse(requests) as string[]).map((request) => ({ request }))),
        accounts: await db.selectFrom('accounts').select(['id', 'trial_used']).execute(),
        sends: await db.selectFrom('usage_sends').select(['account_id', 'day', 'type', 'count']).execute(),
        days: await db.selectFrom('usage_number_days').select(['account_id', 'day', 'phone_number']).execute(),
        sendsByMonth: await db.selectFrom('usage_sends_by_month').selectAll().execute(),
        daysByMonth: await db.selectFrom('usage_number_days_by_month').selectAll().execute(),
        instances: await db.selectFrom('instances').select(['id', 'linked']).execute(),
        credentials: (await db.selectFrom('credentials').select(['instance_id', 'name', 'sealed']).execute()).map((row) => ({
          ...row,
          sealed: row.sealed.toString(),
        })),
      };
    },
  };
}

async function fill(db: Kysely<Database>): Promise<void> {
  for (const id of new Set(numbers.map(({ accountId }) => accountId))) {
    await db
      .insertInto('accounts')
      .values({ id, name: id, provider_id: 'default', status: 'active', operator: 0, created_at: 0 })
      .execute();
  }
  for (const { accountId, id } of numbers) {
    await db
      .insertInto('instances')
      .values({ id, account_id: accountId, network: 'sandbox', linked: 0, conflict: 0, created_at: 0 })
      .execute();
  }
}
