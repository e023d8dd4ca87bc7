import { expect, it } from 'vitest';
import { Ownership } from '../../src/sessions/ownership.ts';
import type { Lease, Leases } from '../../src/store/index.ts';
import { createManualClock } from '../support/manual-clock.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

it('does not give back a number whose taking is not answered yet', async () => {
  const clock = createManualClock();
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
  const ownership = new Ownership({
    leases: leases as Leases,
    alone: false,
    clock,
    log: silent,
    random: () => 0,
    onLost: () => undefined,
    onNode: async () => undefined,
    tellFree: () => undefined,
    owned: { count: () => 0, has: () => false, adopt: () => undefined, dropAll: async () => undefined, giveUp: async () => [] },
  });
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
