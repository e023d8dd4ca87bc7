import { expect, it } from 'vitest';
import { startWhatsAppServer } from '../src/index.ts';
import { link } from './client.ts';

it('a device that appears online is a problem, and the server does not end without saying so', async () => {
  const server = await startWhatsAppServer({ strictness: { refreshAtScan: false } });
  const { client } = await link(server, '4915200900001');
  try {
    await client.sock.sendNode({ tag: 'presence', attrs: { type: 'unavailable', name: 'Ada' } });
    await client.sock.sendNode({ tag: 'presence', attrs: { name: 'Ada' } });
    await server.record.until(() => server.record.presences.length >= 2);
    expect(server.record.presences.slice(-2)).toEqual([
      { number: '4915200900001', type: 'unavailable', name: 'Ada' },
      { number: '4915200900001', type: null, name: 'Ada' },
    ]);
    expect(server.record.problems).toContain('a linked device of 4915200900001 appeared online');
  } finally {
    await client.stop();
    await expect(server.close()).rejects.toThrow('appeared online');
  }
});
