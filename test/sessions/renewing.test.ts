import { expect, it } from 'vitest';
import { StoreUnavailable } from '../../src/core/index.ts';
import { JoinRefused, type Leased, type Leases } from '../../src/store/index.ts';
import { owning } from './owning.ts';

const overloadMs = 20_000;

/** A server whose database answers renewals and takes long to give it the numbers that are free. */
function overloaded() {
  const seen = { renewals: 0, joins: 0, dropped: 0, released: [] as string[] };
  const taken = Promise.withResolvers<Leased[]>();
  let free = 0;
  const leases: Partial<Leases> = {
    join: async () => `node ${++seen.joins}`,
    renew: async () => {
      seen.renewals++;
      return true;
    },
    balance: async () => ({ free, own: 0, share: 100, draining: false }),
    own: async () => [],
    acquire: () => taken.promise,
    release: async (ids) => void seen.released.push(...ids),
  };
  const { clock, ownership } = owning(leases, () => void seen.dropped++);
  const thereAreFree = () => {
    free = 100;
  };
  return { clock, seen, ownership, thereAreFree };
}

it('keeps its right while taking numbers takes longer than the right holds', async () => {
  const { clock, seen, ownership, thereAreFree } = overloaded();
  await ownership.start();
  thereAreFree();
  await clock.advanceAsync(overloadMs);
  expect(seen).toMatchObject({ joins: 1, dropped: 0, renewals: overloadMs / 2000 });
  ownership.stop();
});

it('keeps its right while it starts with many numbers to take', async () => {
  const { clock, seen, ownership, thereAreFree } = overloaded();
  thereAreFree();
  void ownership.start();
  await clock.advanceAsync(overloadMs);
  expect(seen).toMatchObject({ joins: 1, dropped: 0, renewals: overloadMs / 2000 });
  ownership.stop();
});

it('joins anew when the store is back, and ends only when the others do not agree with it', async () => {
  const answers = [new StoreUnavailable('the store is away'), new JoinRefused('HOURS is 0 and 72')];
  let joins = 0;
  const lost: Error[] = [];
  const leases: Partial<Leases> = {
    async join() {
      const error = joins++ === 0 ? undefined : answers.shift();
      if (error !== undefined) throw error;
      return `node ${joins}`;
    },
    renew: async () => false,
    balance: async () => ({ free: 0, own: 0, share: 1, draining: false }),
  };
  const { clock, ownership } = owning(
    leases,
    () => undefined,
    (error) => void lost.push(error),
  );
  await ownership.start();
  await clock.advanceAsync(4_000);
  expect({ joins, lost }).toEqual({ joins: 2, lost: [] });
  await clock.advanceAsync(10_000);
  expect({ joins, lost }).toEqual({ joins: 3, lost: [new JoinRefused('HOURS is 0 and 72')] });
});
