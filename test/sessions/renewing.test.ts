import { expect, it } from 'vitest';
import type { Leased, Leases } from '../../src/store/index.ts';
import { owning } from './owning.ts';

const overloadMs = 20_000;

/** A server whose database answers renewals and takes long to give it the numbers that are free. */
function overloaded() {
  const told = { renewals: 0, joins: 0, dropped: 0, released: [] as string[] };
  const taken = Promise.withResolvers<Leased[]>();
  let free = 0;
  const leases: Partial<Leases> = {
    join: async () => `node ${++told.joins}`,
    renew: async () => {
      told.renewals++;
      return true;
    },
    balance: async () => ({ free, own: 0, share: 100, draining: false }),
    own: async () => [],
    acquire: () => taken.promise,
    release: async (ids) => void told.released.push(...ids),
  };
  const { clock, ownership } = owning(leases, () => void told.dropped++);
  const thereAreFree = () => {
    free = 100;
  };
  return { clock, told, ownership, thereAreFree };
}

it('keeps its right while taking numbers takes longer than the right holds', async () => {
  const { clock, told, ownership, thereAreFree } = overloaded();
  await ownership.start();
  thereAreFree();
  await clock.advanceAsync(overloadMs);
  expect(told).toMatchObject({ joins: 1, dropped: 0, renewals: overloadMs / 2000 });
  ownership.stop();
});

it('keeps its right while it starts with many numbers to take', async () => {
  const { clock, told, ownership, thereAreFree } = overloaded();
  thereAreFree();
  void ownership.start();
  await clock.advanceAsync(overloadMs);
  expect(told).toMatchObject({ joins: 1, dropped: 0, renewals: overloadMs / 2000 });
  ownership.stop();
});
