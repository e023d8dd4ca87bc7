import { DEFAULT_CONNECTION_CONFIG, type UserFacingSocketConfig } from 'baileys';
import { expect, it } from 'vitest';
import { newCredentials } from './client.ts';
import { createWorld, jid } from './world.ts';

const world = createWorld();
const bundled = DEFAULT_CONNECTION_CONFIG.version[2];

it.each<[string, Partial<UserFacingSocketConfig>, number]>([
  ['an old version', { version: [2, 3000, bundled - 1] }, 405],
  ['what is no version of the web client', { version: [2, 2400, bundled] }, 409],
  ['the desktop app', { browser: ['Mac OS', 'Desktop', '14.4.1'], syncFullHistory: true }, 428],
])('refuses %s', async (_who, options, code) => {
  const client = world.connect(newCredentials(), options);
  expect((await client.closed()).code).toBe(code);
});

it('refuses a known device that has grown too old, and lets it in with a newer version', async () => {
  const { server } = world;
  const { client, credentials } = await world.link(world.number());
  await client.stop();
  server.builds.refuseBelow(bundled + 1);
  const old = world.connect(credentials);
  expect((await old.closed()).code).toBe(405);
  const newer = world.connect(credentials, { version: [2, 3000, bundled + 1] });
  await newer.opened();
  server.builds.refuseBelow(bundled);
});

it('refuses new chats beyond the quota with 475, and answers about it only as the newest web client asks', async () => {
  const { server } = world;
  const alice = world.number();
  const { client } = await world.link(alice);
  server.faults.capNewChats(alice, { quota: 1, used: 0, cycleEndsAt: Math.floor(Date.now() / 1000) + 60 });
  const [bob, carol] = [world.number(), world.number()];
  const send = async (to: string) => client.acked((await client.sock.sendMessage(jid(to), { text: 'Hello' }))?.key.id ?? '');
  expect(await send(bob)).not.toHaveProperty('error');
  expect((await send(carol)).error).toBe('475');
  expect(await send(bob)).not.toHaveProperty('error');
  // The library asks with a document that the network does not know any more.
  await expect(client.sock.fetchNewChatMessageCap()).rejects.toThrow('unknown document');
});
