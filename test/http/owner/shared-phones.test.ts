import { expect, it } from 'vitest';
import { PeerError, Peers, type Transport } from '../../../src/coordination/index.ts';
import { sharePhones } from '../../../src/http/owner/shared-phones.ts';
import type { SandboxPhones } from '../../../src/networks/index.ts';
import type { Leases } from '../../../src/store/index.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const node = (id: string) => ({ id, name: id, address: `http://${id}`, startedAt: 0, draining: false });

/** The sandbox's phones as the server `here` sees them, whose own numbers show no code; `others` is what each other server answers. */
function phonesBeside(others: Readonly<Record<string, Transport>>) {
  const unlinkedHere: string[] = [];
  const phones: Pick<SandboxPhones, 'scan' | 'unlink' | 'linkedPhones'> = {
    scan: async () => null,
    unlink: async (_accountId, phoneNumber) => {
      unlinkedHere.push(phoneNumber);
      return { instanceId: 'number' };
    },
    linkedPhones: async () => [{ phoneNumber: '15550101', instanceId: 'number', linkedAt: 0 }],
  };
  const nodes = Object.keys(others).map(node);
  const leases: Pick<Leases, 'nodes' | 'ownerOf'> = {
    nodes: async () => [node('here'), ...nodes],
    ownerOf: async () => nodes[0] ?? null,
  };
  const peers = new Peers({
    transport: async (peer, request, signal) => others[peer.id]?.(peer, request, signal) ?? null,
    clock: createManualClock(),
    living: async () => nodes.map(({ id }) => id),
  });
  const shared = sharePhones({
    ...{ phones: phones as SandboxPhones, leases: leases as Leases, peers },
    sessions: { find: () => undefined },
    nodeId: () => 'here',
  });
  return {
    scan: () => shared.phones.scan('account', 'code', '15550101'),
    unlink: () => shared.phones.unlink('account', '15550101'),
    unlinkedHere,
  };
}

function answers(data: unknown): Transport {
  return async () => ({ status: 200, headers: {}, body: JSON.stringify(data) });
}
const unreachable: Transport = () => Promise.reject(new PeerError('unreachable'));
const lost: Transport = () => Promise.reject(new Error('the connection broke'));

it('says that a scan is unknown when a server that may show the code does not answer', async () => {
  expect(await phonesBeside({ b: answers(null), c: answers(null) }).scan()).toBeNull();
  expect(await phonesBeside({ b: lost, c: answers({ instanceId: 'number' }) }).scan()).toEqual({
    instanceId: 'number',
    phoneNumber: '15550101',
  });
  for (const silent of [unreachable, lost])
    await expect(phonesBeside({ b: silent, c: answers(null) }).scan()).rejects.toMatchObject({ code: 'upstream_unavailable', status: 502 });
});

it('unlinks a phone here when the owner of its number has done nothing, and else says that it is unknown', async () => {
  const alone = phonesBeside({ b: unreachable });
  expect([await alone.unlink(), alone.unlinkedHere]).toEqual([{ instanceId: 'number' }, ['15550101']]);
  const halfway = phonesBeside({ b: lost });
  await expect(halfway.unlink()).rejects.toMatchObject({ code: 'upstream_unavailable', status: 502 });
  expect(halfway.unlinkedHere).toEqual([]);
});
