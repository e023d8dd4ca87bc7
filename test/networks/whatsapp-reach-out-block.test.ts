import { expect, test } from 'vitest';
import type { Restriction } from '../../src/networks/index.ts';
import { ReachOutBlock } from '../../src/networks/whatsapp/worker/sending/restrictions.ts';
import type { SendingSocket } from '../../src/networks/whatsapp/worker/sending/socket.ts';

test('a number that is refused without end remembers the latest recipients only, and still notices the end of the block', async () => {
  const told: (Restriction | null)[] = [];
  const socket = { fetchAccountReachoutTimelock: async () => ({ isActive: false }) } as unknown as SendingSocket;
  const block = new ReachOutBlock(socket, (restriction) => void told.push(restriction));
  const refused = Array.from({ length: 5_000 }, (_, place) => `49151${String(place).padStart(8, '0')}@s.whatsapp.net`);
  await Promise.all(refused.map((jid) => block.refused(jid)));
  expect(told).toHaveLength(5_000);
  block.accepted(refused[0] ?? '');
  expect(told.at(-1)).toEqual({ reason: 'reach_out_blocked', until: null });
  block.accepted(refused[4_999] ?? '');
  expect(told.at(-1)).toBeNull();
});
