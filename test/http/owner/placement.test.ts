import { expect, it } from 'vitest';
import { here, nowhere, Placement } from '../../../src/http/owner/placement.ts';
import type { Session } from '../../../src/sessions/index.ts';
import type { Leases } from '../../../src/store/index.ts';

const self = 'this node';
const instanceId = '0190a000-0000-7000-8000-000000000001';

/** Where a number is that this process has or not, and of which the store names this owner. */
function placed(owner: string | null | undefined, numbers: { has?: boolean; adopts?: boolean } = {}) {
  const placement = new Placement({
    sessions: {
      find: () => (numbers.has === true ? ({} as Session) : undefined),
      adopt: async () => numbers.adopts === true,
    },
    leases: { ownerOf: async () => (owner == null ? owner : { id: owner, address: 'http://there' }) } as Partial<Leases> as Leases,
    nodeId: () => self,
  });
  return placement.of('account', instanceId);
}

it('is here with a session, and nowhere for an instance that does not exist', async () => {
  expect(await placed(self, { has: true })).toBe(here);
  expect(await placed(undefined)).toBe(nowhere);
});

it('is not known yet while this node owns a number for which it has no session', async () => {
  expect(await placed(self)).toBeNull();
});

it('is here for a free number that this process takes, and another node when that was first', async () => {
  expect(await placed(null, { adopts: true })).toBe(here);
  expect(await placed(null)).toBeNull();
  expect(await placed('another node')).toEqual({ id: 'another node', address: 'http://there' });
});
