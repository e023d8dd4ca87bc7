import { expect, it } from 'vitest';
import type { Lease, Leases } from '../../src/store/index.ts';
import { owning } from './owning.ts';

it('does not give back a number whose taking is not answered yet', async () => {
  const answer = Promise.withResolvers<Lease | null>();
  const released: string[] = [];
  const leases: Partial<Leases> = {
    join: async () => 'node',
    renew: async () => true,
    balance: async () => ({ free: 0, own: 1, share: 1, draining: false }),
    own: async () => ['number'],
    take: () => answer.promise,
    release: async (ids) => void released.push(...ids),
  };
  const { clock, ownership } = owning(leases);
  await ownership.start();
  const taking = ownership.whileTaking(() => ownership.take('number'));
  await clock.advanceAsync(20_000);
  expect(released).toEqual([]);
  answer.resolve({ nodeId: 'node', epoch: 1 });
  await taking;
  // Nobody serves it: that is seen twice before it is given back.
  await clock.advanceAsync(2_500);
  expect(released).toEqual([]);
  await clock.advanceAsync(2_500);
  expect(released).toEqual(['number']);
  ownership.stop();
});
