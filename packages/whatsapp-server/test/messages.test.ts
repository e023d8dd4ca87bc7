import { expect, it, vi } from 'vitest';
import { createWorld, jid } from './world.ts';

const world = createWorld();

it('acknowledges a text, the recipient decrypts it and the own phone gets a copy', async () => {
  const { server } = world;
  const [alice, bob] = [world.number(), world.number()];
  const { client } = await world.link(alice);
  const sent = await client.sock.sendMessage(jid(bob), { text: 'Hello Bob' });
  const id = sent?.key.id ?? '';
  expect(await client.acked(id)).not.toHaveProperty('error');
  const text = { extendedTextMessage: { text: 'Hello Bob' } };
  expect(await server.person(bob).nextReceived((message) => message.id === id)).toMatchObject({
    from: alice,
    to: bob,
    times: 1,
    message: text,
  });
  expect(await server.person(alice).nextReceived((message) => message.id === id)).toMatchObject({
    from: alice,
    to: bob,
    times: 1,
    message: text,
  });
  expect(server.record.stanzas).toContainEqual({ from: alice, to: bob, id });
  expect(server.record.incomplete).toEqual([]);
  expect(server.record.problems).toEqual([]);
});

it('carries texts both ways within one session', async () => {
  const { server } = world;
  const [alice, bob] = [world.number(), world.number()];
  const { client } = await world.link(alice);
  const texts: unknown[] = [];
  client.sock.ev.on('messages.upsert', ({ messages }) => texts.push(...messages.map(({ message }) => message?.conversation)));
  for (let round = 1; round <= 3; round++) {
    const sent = await client.sock.sendMessage(jid(bob), { text: `question ${round}` });
    await server.person(bob).nextReceived((message) => message.id === sent?.key.id);
    const id = await server.person(bob).send(alice, `answer ${round}`);
    await server.record.until(() => server.record.receipts.some((receipt) => receipt.id === id));
  }
  await vi.waitFor(() => expect(texts).toEqual(['answer 1', 'answer 2', 'answer 3']), 10_000);
  expect(server.record.problems).toEqual([]);
});

it('lets somebody write first, and keeps what arrives while the device is away', async () => {
  const { server } = world;
  const [alice, bob] = [world.number(), world.number()];
  const { client, credentials } = await world.link(alice);
  await client.stop();
  await server.record.until(() => !server.record.connected().includes(alice));
  const id = await server.person(bob).send(alice, 'are you there?');
  const again = world.connect(credentials);
  const arrived = new Promise((resolve) =>
    again.sock.ev.on('messages.upsert', ({ messages }) => resolve(messages[0]?.message?.conversation)),
  );
  await again.opened();
  expect(await arrived).toBe('are you there?');
  await server.record.until(() => server.record.receipts.some((receipt) => receipt.id === id && receipt.from === alice));
});

it('tells the sender that the recipient has it', async () => {
  const { client } = await world.link(world.number());
  const delivered = new Promise((resolve) => client.sock.ev.on('messages.update', (updates) => resolve(updates[0]?.key.id)));
  const sent = await client.sock.sendMessage(jid(world.number()), { text: 'Hello' });
  expect(await delivered).toBe(sent?.key.id);
});

it('survives a restart of the device in the middle of a conversation', async () => {
  const { server } = world;
  const [alice, bob] = [world.number(), world.number()];
  const { client, credentials } = await world.link(alice);
  const first = await client.sock.sendMessage(jid(bob), { text: 'before' });
  await client.acked(first?.key.id ?? '');
  await client.stop();
  const again = world.connect(credentials);
  await again.opened();
  await again.sock.sendMessage(jid(bob), { text: 'after' });
  await server.person(bob).nextReceived(({ message }) => message.extendedTextMessage?.text === 'after');
  expect((await server.person(bob).received()).map(({ message }) => message.extendedTextMessage?.text)).toEqual(['before', 'after']);
  expect(server.record.problems).toEqual([]);
});

it('reaches every device of recipient and sender, linked ones included', async () => {
  const { server } = world;
  const [alice, bob] = [world.number(), world.number()];
  server.person(bob).is({ companions: 2 });
  const sender = await world.link(alice);
  const [own, theirs] = [await world.link(alice), await world.link(bob)];
  const shown = [own, theirs].map(
    ({ client }) =>
      new Promise((resolve) =>
        client.sock.ev.on('messages.upsert', ({ messages: [one] }) =>
          resolve([one?.key.fromMe, one?.key.remoteJid, one?.message?.extendedTextMessage?.text]),
        ),
      ),
  );
  await sender.client.sock.sendMessage(jid(bob), { text: 'to all of you' });
  expect(await shown[0]).toEqual([true, jid(bob), 'to all of you']);
  expect(await shown[1]).toEqual([false, jid(alice), 'to all of you']);
  await server.person(bob).nextReceived(({ from }) => from === alice);
  expect(server.record.incomplete).toEqual([]);
  expect(server.record.problems).toEqual([]);
});

it('records a message that misses a device', async () => {
  const { server } = world;
  const bob = world.number();
  const { client } = await world.link(world.number());
  const sent = await client.sock.sendMessage(jid(bob), { text: 'one device' });
  await client.acked(sent?.key.id ?? '');
  // The notification about the new device is what a sender is told by; without a listener it keeps its list.
  client.sock.ws.removeAllListeners('CB:notification');
  server.person(bob).is({ companions: 1 });
  const second = await client.sock.sendMessage(jid(bob), { text: 'still one device' });
  expect((await client.acked(second?.key.id ?? '')).phash).toMatch(/^2:/);
  expect(server.record.incomplete.at(-1)).toMatchObject({ id: second?.key.id, missing: [`${bob}:1@s.whatsapp.net`], unknown: [] });
});

it('is asked again by a phone that cannot decrypt', async () => {
  const { server } = world;
  const bob = world.number();
  const { client } = await world.link(world.number());
  server.faults.onMessage({ to: bob }, { kind: 'undecryptable' });
  const sent = await client.sock.sendMessage(jid(bob), { text: 'say again' });
  const got = await server.person(bob).nextReceived((message) => message.id === sent?.key.id);
  expect(got).toMatchObject({ times: 1, message: { extendedTextMessage: { text: 'say again' } } });
  expect(server.record.stanzas.filter(({ id }) => id === sent?.key.id)).toHaveLength(2);
});

it('sends again to a linked device that cannot decrypt', async () => {
  const { server } = world;
  const [alice, bob] = [world.number(), world.number()];
  const { client, credentials } = await world.link(alice);
  await server.person(bob).send(alice, 'one');
  await server.record.until(() => server.record.receipts.some((receipt) => receipt.from === alice));
  for (const key of [...credentials.records.keys()]) if (key.startsWith('session:')) credentials.records.delete(key);
  const texts: unknown[] = [];
  client.sock.ev.on('messages.upsert', ({ messages }) => texts.push(...messages.map(({ message }) => message?.conversation)));
  client.sock.ev.on('messages.update', (updates) => texts.push(...updates.map(({ update }) => update.message?.conversation)));
  const id = await server.person(bob).send(alice, 'two');
  await server.record.until(() => server.record.receipts.some((receipt) => receipt.id === id && receipt.type === 'retry'));
  await vi.waitFor(() => expect(texts).toContain('two'), 10_000);
});
