import { StoreUnavailable } from '../../src/core/index.ts';
import type { Lease, Store } from '../../src/store/index.ts';
import type { Seeded } from '../faults/seeded.ts';
import type { SimulatedDatabase } from './database.ts';
import { simulatedHotPath } from './hot-path.ts';
import { type Carry, simulatedLeases } from './leases.ts';
import type { Mutation } from './mutations.ts';
import type { Rates } from './plan.ts';
import type { Life, Schedule, WallClock } from './schedule.ts';

/** How long a statement may take before its caller gives up. */
const statementMs = 20_000;

/** A node's way to the database. */
export interface WayToStore {
  state: 'open' | 'refuses' | 'hangs';
}

interface Options {
  readonly database: SimulatedDatabase;
  /** The database's. */
  readonly clock: WallClock;
  readonly schedule: Schedule;
  readonly life: Life;
  readonly way: WayToStore;
  readonly random: Seeded;
  readonly rates: () => Rates;
  readonly mutation: Mutation | null;
  readonly newNodeId: () => string;
  readonly wrote: (instanceId: string, lease: Lease | null) => void;
  readonly counted: () => void;
  readonly say: (line: string) => void;
}

/** The store as one process has it: each call goes to the database, is an atom there, and is answered, unless something of that is lost. */
export function simulatedStore(options: Options): Store {
  const { database, schedule, life, way, random, rates, mutation, newNodeId } = options;
  const { clock } = options;
  // What was skipped has passed for nobody whose heart would have beaten meanwhile.
  const leaseNow = () => Math.floor(clock.now() - schedule.skipped);
  const latency = () => (random.chance(rates().slowStore) ? random.next() * 2500 : 0.3 + random.next() * 3);

  /** `bring` runs the atom at the database, when the call arrives there. */
  function call<T>(bring: () => Promise<T> | T, answeredWith: { readonly atomic: boolean }): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (life.state === 'dead') return promise;
    const fail = (ms: number) => life.receives(ms, () => reject(new StoreUnavailable('the simulated store is away')));
    if (way.state === 'refuses') fail(1 + random.next() * 10);
    else if (way.state === 'hangs') fail(statementMs);
    else {
      const arrive = async () => {
        // What was under way when the way broke may have been done, but its answer is lost.
        const broken = way.state !== 'open';
        if (broken && random.chance(0.5)) return fail(way.state === 'hangs' ? statementMs : 5);
        const answerLost = broken || random.chance(rates().answerLost);
        const back = latency();
        try {
          const result = await bring();
          if (answerLost) fail(random.chance(0.5) ? 5 : statementMs);
          else life.receives(back, () => resolve(result));
        } catch (error) {
          if (answerLost) fail(5);
          else life.receives(back, () => reject(error));
        }
      };
      // One statement goes on without its caller; a transaction of several needs it.
      if (answeredWith.atomic) schedule.later(latency(), () => void arrive());
      else life.receives(latency(), () => void arrive());
    }
    return promise;
  }

  const carry: Carry = (name, atom) =>
    call(
      () => {
        options.say(`${life.name} at the store: ${name}`);
        return atom();
      },
      { atomic: true },
    );
  const { wrote, counted } = options;
  return {
    dialect: 'sqlite',
    db: database.kysely((work) => call(work, { atomic: true })),
    now: () => call(() => clock.now(), { atomic: true }),
    hot: simulatedHotPath(database, { carry, now: () => clock.now(), leaseNow, mutation, wrote, counted }),
    writability: { trouble: null } as Store['writability'],
    leases: simulatedLeases(database, { carry, now: leaseNow, mutation, newNodeId }),
    deliverToSandbox: async () => true,
    transaction: (work) => call(() => database.direct.transaction().execute(work), { atomic: false }),
    schema: async () => ({ applied: [], newest: '', pending: [], additive: true }),
    migrate: async () => undefined,
    becomeServer: async () => undefined,
    onLost: () => undefined,
    close: async () => undefined,
  };
}
