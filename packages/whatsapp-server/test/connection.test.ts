import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { newCredentials } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();

it.each([401, 402, 403, 405, 503])('answers logins with failure %i until that is cleared', async (code) => {
  const { server } = world;
  const number = world.number();
  const { client, credentials } = await world.link(number);
  await client.stop();
  server.faults.onLogin(number, code === 402 ? { code, expireSeconds: 3600 } : { code });
  const refused = await world.connect(credentials).closed();
  expect(refused.code).toBe(code);
  if (code === 402) expect(refused.data).toMatchObject({ expire: '3600' });
  server.faults.onLogin(number, null);
  await world.connect(credentials).opened();
});

it.each([
  [{ kind: 'drop' }, 428],
  [{ kind: 'stream_error', code: 515 }, 515],
  [{ kind: 'stream_error', code: 503 }, 503],
  [{ kind: 'stream_error', code: 440 }, 440],
  [{ kind: 'stream_error', code: 440, conflict: 'device_removed' }, 440],
  [{ kind: 'stream_error', code: 401 }, 401],
] as const)('ends a live connection: %j', async (how, expected) => {
  const { server } = world;
  const number = world.number();
  const { client } = await world.link(number);
  await server.faults.end(number, how);
  const { code, data } = await client.closed();
  expect(code).toBe(expected);
  if ('conflict' in how) expect(data).toMatchObject({ attrs: { type: how.conflict } });
  expect(server.record.connected()).not.toContain(number);
});

it('falls silent and keeps the socket', async () => {
  const { server } = world;
  const number = world.number();
  const { client } = await world.link(number, { defaultQueryTimeoutMs: 300 });
  const ping = { tag: 'iq', attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:p' }, content: [{ tag: 'ping', attrs: {} }] };
  expect((await client.sock.query(ping))?.attrs?.type).toBe('result');
  await server.faults.end(number, { kind: 'silence' });
  expect(await client.sock.query({ ...ping, attrs: { ...ping.attrs, id: 'again' } })).toBeUndefined();
  expect(server.record.connected()).toContain(number);
  expect(client.updates.some((update) => update.connection === 'close')).toBe(false);
});

it('says that a number without a live connection has none to end', async () => {
  await expect(world.server.faults.end(world.number(), { kind: 'drop' })).rejects.toThrow('no live connection');
});

it('cuts new connections while it refuses them', async () => {
  const { server } = world;
  const { client, credentials } = await world.link(world.number());
  await client.stop();
  server.faults.refuseConnections(true);
  const { code } = await world.connect(credentials).closed();
  expect(code).not.toBe(401);
  server.faults.refuseConnections(false);
  await world.connect(credentials).opened();
});

it('counts how many log in at one time', async () => {
  const { server } = world;
  const linked = await Promise.all([world.link(world.number()), world.link(world.number()), world.link(world.number())]);
  await Promise.all(linked.map(({ client }) => client.stop()));
  server.record.resetMostLoginsAtOnce();
  expect(server.record.mostLoginsAtOnce).toBe(0);
  for (const { credentials } of linked) await world.connect(credentials).opened();
  expect(server.record.mostLoginsAtOnce).toBe(1);
  await Promise.all([world.connect(newCredentials()).qr(), world.connect(newCredentials()).qr()]);
  expect(server.record.mostLoginsAtOnce).toBe(2);
});

it('cuts a connection that does not speak the protocol', async () => {
  const { server } = world;
  const socket = new WebSocket(server.url, { ca: readFileSync(server.caFile) });
  await new Promise((resolve) => socket.once('open', resolve));
  socket.send('GET / HTTP/1.1');
  await new Promise((resolve) => socket.once('close', resolve));
  expect(server.record.problems.at(-1)).toContain('header');
});
