import { expect, it } from 'vitest';
import { createWorld, jid } from './world.ts';

const world = createWorld();

it('refuses with the code it was told, once, and delivers nothing', async () => {
  const { server } = world;
  const bob = world.number();
  const { client } = await world.link(world.number());
  server.faults.onMessage({ to: bob }, { kind: 'refuse', code: 463 });
  const refused = await client.sock.sendMessage(jid(bob), { text: 'no' });
  expect((await client.acked(refused?.key.id ?? '')).error).toBe('463');
  const accepted = await client.sock.sendMessage(jid(bob), { text: 'yes' });
  expect(await client.acked(accepted?.key.id ?? '')).not.toHaveProperty('error');
  await server.person(bob).nextReceived(({ id }) => id === accepted?.key.id);
  expect((await server.person(bob).received()).map(({ id }) => id)).toEqual([accepted?.key.id]);
});

it('shows a message sent again under the same id once', async () => {
  const { server } = world;
  const bob = world.number();
  const { client } = await world.link(world.number());
  server.faults.onMessage({ to: bob }, { kind: 'lose_ack' });
  const messageId = '3EB0AAAABBBBCCCCDDDDEEEE';
  await client.sock.sendMessage(jid(bob), { text: 'once' }, { messageId });
  await server.person(bob).nextReceived(({ id }) => id === messageId);
  await client.sock.sendMessage(jid(bob), { text: 'once' }, { messageId });
  await client.acked(messageId);
  const got = await server.person(bob).nextReceived(({ times }) => times === 2);
  expect(got.id).toBe(messageId);
  expect(await server.person(bob).received()).toHaveLength(1);
});

it.each([
  ['drop', 1],
  ['drop_before', 0],
] as const)('cuts the connection in the middle of a send: %s', async (kind, delivered) => {
  const { server } = world;
  const [alice, bob] = [world.number(), world.number()];
  const { client } = await world.link(alice);
  server.faults.onMessage({ from: alice, to: bob }, { kind });
  await client.sock.sendMessage(jid(bob), { text: 'going' });
  expect((await client.closed()).code).toBe(428);
  expect(server.record.stanzas.filter(({ to }) => to === bob)).toHaveLength(1);
  expect(await server.person(bob).received()).toHaveLength(delivered);
});

it('delays one message and not those behind it', async () => {
  const { server } = world;
  const [bob, carol] = [world.number(), world.number()];
  const { client } = await world.link(world.number());
  server.faults.onMessage({ to: bob }, { kind: 'delay', ms: 400 });
  const order: (string | undefined)[] = [];
  client.sock.ws.on('CB:ack,class:message', (node: { attrs: Record<string, string> }) => order.push(node.attrs.id));
  const slow = await client.sock.sendMessage(jid(bob), { text: 'slow' });
  const quick = await client.sock.sendMessage(jid(carol), { text: 'quick' });
  await client.acked(slow?.key.id ?? '');
  expect(order).toEqual([quick?.key.id, slow?.key.id]);
});

it('answers who is on the network and on which number', async () => {
  const { server } = world;
  const [there, absent, old, current] = [world.number(), world.number(), world.number(), world.number()];
  server.person(absent).is({ onNetwork: false });
  server.person(old).is({ answersAs: current });
  const { client } = await world.link(world.number());
  expect(await client.sock.onWhatsApp(there, absent, old)).toEqual([
    { jid: jid(there), exists: true },
    { jid: jid(current), exists: true },
  ]);
  server.person(there).is({ hasDevices: false });
  expect(await client.sock.getUSyncDevices([jid(there)], false, false)).toEqual([]);
  expect(await client.sock.getUSyncDevices([jid(old)], false, false)).toEqual([]);
  expect(await client.sock.getUSyncDevices([jid(current)], false, false)).toHaveLength(1);
});

it('fails questions about a number as told', async () => {
  const { server } = world;
  const bob = world.number();
  const { client } = await world.link(world.number(), { defaultQueryTimeoutMs: 300 });
  server.faults.onUsync({ number: bob }, { kind: 'error' });
  await expect(client.sock.onWhatsApp(bob)).rejects.toThrow('internal-server-error');
  server.faults.onUsync({ number: bob }, { kind: 'silence' });
  expect(await client.sock.onWhatsApp(bob)).toBeUndefined();
  expect(await client.sock.onWhatsApp(bob)).toEqual([{ jid: jid(bob), exists: true }]);
  server.faults.onUsync({ number: bob }, { kind: 'drop' });
  await client.sock.onWhatsApp(bob).catch(() => undefined);
  expect((await client.closed()).code).toBe(428);
});

it('refuses new chats of a restricted number, keeps old ones and says until when', async () => {
  const { server } = world;
  const [alice, friend, stranger] = [world.number(), world.number(), world.number()];
  const { client } = await world.link(alice);
  const before = await client.sock.sendMessage(jid(friend), { text: 'hi' });
  await client.acked(before?.key.id ?? '');
  const until = Math.floor(Date.now() / 1000) + 3600;
  server.faults.restrictReachOut(alice, until);
  const told = await client.update((update) => update.reachoutTimeLock?.isActive === true);
  expect(told.reachoutTimeLock?.timeEnforcementEnds?.getTime()).toBe(until * 1000);
  const toStranger = await client.sock.sendMessage(jid(stranger), { text: 'hi' });
  expect((await client.acked(toStranger?.key.id ?? '')).error).toBe('463');
  const toFriend = await client.sock.sendMessage(jid(friend), { text: 'hi again' });
  expect(await client.acked(toFriend?.key.id ?? '')).not.toHaveProperty('error');
  expect(await client.sock.fetchAccountReachoutTimelock()).toMatchObject({ isActive: true, timeEnforcementEnds: new Date(until * 1000) });
  server.faults.restrictReachOut(alice, null);
  await client.update((update) => update.reachoutTimeLock?.isActive === false);
  expect(await server.person(stranger).received()).toEqual([]);
});

it('refuses a session started without the device identity', async () => {
  const { server } = world;
  const { client } = await world.link(world.number());
  client.sock.authState.creds.account = { ...client.sock.authState.creds.account, deviceSignature: Buffer.alloc(64) };
  const sent = await client.sock.sendMessage(jid(world.number()), { text: 'forged' });
  expect((await client.acked(sent?.key.id ?? '')).error).toBe('479');
  expect(server.record.problems.at(-1)).toContain('device identity');
});
