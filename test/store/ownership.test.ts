import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Peers } from '../../src/coordination/index.ts';
import { OwnSessions } from '../../src/sessions/own-sessions.ts';
import { Ownership } from '../../src/sessions/ownership.ts';
import { States } from '../../src/sessions/states.ts';
import type { Leased, Leases, Store } from '../../src/store/index.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import { createTestDatabase, storeKinds, type TestDatabase } from '../support/stores.ts';
import { waitFor } from '../support/wait-for.ts';
import { seed } from './seed.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

// The embedded store has one server only.
describe.each(storeKinds.filter((kind) => kind === 'postgres'))('ownership on %s', (kind) => {
  let database: TestDatabase;
  let store: Store;
  let clock: ManualClock;
  beforeEach(async () => {
    database = await createTestDatabase(kind);
    store = await database.open();
    clock = createManualClock();
  });
  afterEach(() => database.dispose());

  /** A process that owns numbers, with those it serves and the epochs of their leases. */
  function start(alone: boolean, mayJoin = async () => undefined) {
    const { leases } = store;
    if (leases === null) throw new Error('this store has no leases');
    const serves = new Map<string, number>();
    const ownership = new Ownership({
      leases,
      networks: ['sandbox'],
      clock,
      log: silent,
      random: () => 0,
      onLost: () => undefined,
      cluster: alone
        ? null
        : {
            address: () => 'http://here',
            agreement: { settings: {}, refusal: () => null },
            mayJoin,
            joined: () => undefined,
            announceFree: () => ownership.thereAreFree(),
          },
      owned: {
        count: () => serves.size,
        has: (id) => serves.has(id),
        adopt: (taken: readonly Leased[]) => {
          for (const { row, lease } of taken) serves.set(row.id, lease.epoch);
        },
        dropAll: async () => serves.clear(),
        giveUp: async () => [],
        giveUpIdle: async () => [],
      },
    });
    return { ownership, leases, serves };
  }

  /** Lets time pass until this holds. */
  const until = (holds: () => void) =>
    waitFor(() => {
      clock.advance(500);
      holds();
    });

  it('does not join again while it must not, as when its machine goes on with the time at which it was halted [idem.clock-off]', async () => {
    const { instanceId } = await seed(store);
    let wrong = false;
    const { ownership, serves } = start(false, async () => {
      if (wrong) throw new Error('the clock is wrong');
    });
    await ownership.start();
    expect(serves.get(instanceId)).toBe(1);
    wrong = true;
    await store.db.updateTable('nodes').set({ expires_at: 1 }).execute();
    await until(() => expect(serves.size).toBe(0));
    for (let i = 0; i < 5; i++) await clock.advanceAsync(2_000);
    expect([ownership.idleFor, await store.leases?.nodes()]).toEqual(['no_lease', []]);
    wrong = false;
    await until(() => expect(serves.get(instanceId)).toBe(2));
    ownership.stop();
  });

  it('shows a number as closed whose server is gone and that no other takes', async () => {
    const { accountId, instanceId } = await seed(store);
    const { ownership, leases } = start(false);
    await ownership.start();
    ownership.stop();
    await leases.report(new Map([[instanceId, 'open']]));
    await store.db.deleteFrom('nodes').execute();
    // There is no other server to ask.
    const peers: Partial<Peers> = {};
    const unserved = { ofAccount: async () => [] };
    const common = { store, clock, stopwatch: clock, log: silent, unserved, stored: () => undefined };
    const states = new States(new OwnSessions(), { ...common, peers: peers as Peers });
    expect([...(await states.ofAccount(accountId))]).toMatchObject([{ instanceId, status: 'close' }]);
  });

  it.each([true, false])('takes a number anew when the answer to its taking was lost (alone: %s)', async (alone) => {
    const first = await seed(store);
    const { ownership, leases, serves } = start(alone);
    await ownership.start();
    expect([...serves.keys()]).toEqual([first.instanceId]);
    const lost = await seed(store);
    await (leases as Leases).take(lost.instanceId);
    await until(() => expect(serves.get(lost.instanceId)).toBe(2));
    expect(serves.get(first.instanceId)).toBe(1);
    ownership.stop();
  });
});
