import { readFileSync } from 'node:fs';
import { initAuthCreds, makeWASocket } from 'baileys';
import { expect, test } from 'vitest';
import { takeOver } from '../../src/networks/whatsapp/worker/library/web-socket.ts';

const { version } = JSON.parse(readFileSync(new URL('../../node_modules/baileys/package.json', import.meta.url), 'utf8'));

test('Baileys 7.0.0-rc14 handles receipts in one listener, which can be taken over', async () => {
  expect(version).toBe('7.0.0-rc14');
  const sock = makeWASocket({
    auth: { creds: initAuthCreds(), keys: { get: async () => ({}), set: async () => undefined } },
    // Nobody listens there; nothing of this needs a connection.
    waWebSocketUrl: 'ws://127.0.0.1:9/',
  });
  expect(takeOver(sock.ws, 'CB:receipt')).toHaveLength(1);
  expect(sock.ws.listenerCount('CB:receipt')).toBe(0);
  await sock.end(undefined);
});
