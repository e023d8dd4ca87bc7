import { expect, it } from 'vitest';
import type { Lease, Leases } from '../../src/store/index.ts';
import { owning } from './owning.ts';

it('a node that is about to stop keeps its numbers, takes no others and does not become a node again', async () => {
  const calls: string[] = [];
  let holds = true;
  const leases: Partial<Leases> = {
    async join() {
      calls.push('join');
      return 'node';
    },
    async renew() {
      calls.push('renew');
      return holds;
    },
    balance: async () => ({ free: 5, own: 0, share: 5, draining: false }),
    own: async () => [],
    async acquire() {
      calls.push('acquire');
      return [];
    },
    async take(): Promise<Lease | null> {
      calls.push('take');
      return null;
    },
  };
  const { clock, ownership } = owning(leases);
  await ownership.start();
  expect(calls.splice(0)).toEqual(['join', 'acquire']);

  ownership.retire();
  ownership.thereAreFree();
  expect(await ownership.take('number')).toBeNull();
  await clock.advanceAsync(2_500);
  expect(calls.splice(0)).toEqual(['renew']);

  holds = false;
  await clock.advanceAsync(10_000);
  expect(calls.splice(0)).toEqual(['renew']);
  ownership.stop();
});
