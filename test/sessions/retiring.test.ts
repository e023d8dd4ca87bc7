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
    async drain() {
      calls.push('drain');
      return true;
    },
  };
  const { clock, ownership } = owning(leases);
  await ownership.start();
  expect(calls.splice(0)).toEqual(['join', 'acquire']);

  await ownership.retire();
  expect(calls.splice(0)).toEqual(['drain']);
  ownership.thereAreFree();
  expect(await ownership.take('number')).toBeNull();
  await clock.advanceAsync(2_500);
  expect(calls.splice(0)).toEqual(['renew']);

  holds = false;
  await clock.advanceAsync(10_000);
  expect(calls.splice(0)).toEqual(['renew']);
  ownership.stop();
});

it.each([
  { others: 'another server stays', draining: false, given: ['number'] },
  { others: 'all others stop too', draining: true, given: [] },
])('a node that waits for requests before it stops gives its numbers away when $others', async ({ draining, given }) => {
  const released: string[] = [];
  const node = { name: 'here', address: 'http://here', startedAt: 0 };
  const leases: Partial<Leases> = {
    join: async () => 'node',
    renew: async () => true,
    balance: async () => ({ free: 0, own: 1, share: 1, draining: false }),
    own: async () => [],
    drain: async () => true,
    nodes: async () => [
      { ...node, id: 'node', draining: true },
      { ...node, id: 'other', draining },
    ],
    async release(ids) {
      released.push(...ids);
    },
  };
  const { ownership } = owning(leases, undefined, undefined, ['number']);
  await ownership.start();
  await ownership.retire();
  await ownership.giveIdle();
  expect(released).toEqual(given);
  ownership.stop();
});

it.each([
  { others: 'another server stays', draining: false, given: ['number'] },
  { others: 'no other server takes them', draining: true, given: [] },
])('a node that is told to drain gives its numbers away when $others', async ({ draining, given }) => {
  const released: string[] = [];
  const node = { name: 'here', address: 'http://here', startedAt: 0 };
  const leases: Partial<Leases> = {
    join: async () => 'node',
    renew: async () => true,
    balance: async () => ({ free: 0, own: 1, share: 1, draining: true }),
    nodes: async () => [
      { ...node, id: 'node', draining: true },
      { ...node, id: 'other', draining },
    ],
    async release(ids) {
      released.push(...ids);
    },
  };
  const { clock, ownership } = owning(leases, undefined, undefined, ['number']);
  await ownership.start();
  await clock.advanceAsync(2_500);
  expect(released).toEqual(given);
  ownership.stop();
});
