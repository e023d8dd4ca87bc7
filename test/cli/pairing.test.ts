import { expect, test } from 'vitest';
import type { OwnServer } from '../../src/cli/own-server.ts';
import { pair } from '../../src/cli/pairing.ts';
import { createManualClock } from '../support/manual-clock.ts';

test('stops waiting at once when aborted, and leaves no timer behind', async () => {
  const clock = createManualClock();
  const interrupted = new AbortController();
  const server: OwnServer = {
    address: 'http://127.0.0.1:1',
    get: async () => ({ status: 200, retryAfter: null, body: { data: { connected: false, qrcode: { code: 'one', pairingCode: null } } } }),
    post: () => Promise.reject(new Error('nothing to give')),
    close: async () => undefined,
  };
  const { promise: shown, resolve } = Promise.withResolvers<void>();
  const pairing = pair({
    server,
    apiKey: 'mgw_x',
    instanceId: 'i',
    phoneNumber: null,
    clock,
    limitMs: 600_000,
    signal: interrupted.signal,
    print: () => undefined,
    nextLine: async () => null,
    show: async () => resolve(),
  });
  await shown;
  interrupted.abort();
  await expect(pairing).rejects.toBe(interrupted.signal.reason);
  expect(clock.pending).toBe(0);
});
