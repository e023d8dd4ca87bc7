import { initAuthCreds } from 'baileys';
import { expect, it } from 'vitest';
import { newCredentials } from './client.ts';
import { createWorld } from './world.ts';

const world = createWorld();

it('links a device by QR code, restarts it and lets it in', async () => {
  const { server } = world;
  const number = world.number();
  const { client } = await world.link(number);
  expect(client.sock.user?.id).toBe(`${number}:1@s.whatsapp.net`);
  expect(client.sock.user?.lid).toBe(`${server.person(number).lid}:1@lid`);
  expect(server.record.linked()).toContain(number);
  expect(server.record.connected()).toContain(number);
  expect(server.record.problems).toEqual([]);
});

it('gives six references by default', async () => {
  const client = world.connect(newCredentials(), { qrTimeout: 5 });
  expect((await client.closed()).code).toBe(408);
  expect(client.updates.filter((update) => update.qr)).toHaveLength(6);
});

it('refuses a code nobody shows, a code of a closed attempt and what is no code', async () => {
  const person = world.server.person(world.number());
  const client = world.connect(newCredentials());
  const code = await client.qr();
  const foreign = Buffer.from(initAuthCreds().noiseKey.public).toString('base64');
  await expect(person.scan(code.replace(/,[^,]+,/, `,${foreign},`))).rejects.toThrow('no open pairing attempt');
  await client.stop();
  await expect(person.scan(code)).rejects.toThrow(/no open pairing attempt|was closed/);
  await expect(person.scan('https://example.com/')).rejects.toThrow('not a linking code');
});

it('links a device by pairing code', async () => {
  const { server } = world;
  const number = world.number();
  const credentials = newCredentials();
  const first = world.connect(credentials);
  await first.qr();
  const code = await first.sock.requestPairingCode(number);
  const entered = server.person(number).enterPairingCode(code);
  expect((await first.closed()).code).toBe(515);
  await world.connect(credentials).opened();
  await entered;
  expect(server.record.connected()).toContain(number);
});

it('refuses a wrong pairing code', async () => {
  const number = world.number();
  const client = world.connect(newCredentials());
  await client.qr();
  await client.sock.requestPairingCode(number, 'ABCDEFGH');
  await expect(world.server.person(number).enterPairingCode('ABCDEFGJ')).rejects.toThrow();
  expect(world.server.record.linked()).not.toContain(number);
});

it('asks for a passkey instead of linking', async () => {
  const { server } = world;
  const person = server.person(world.number());
  server.faults.askPasskey(true);
  const client = world.connect(newCredentials());
  const asked = new Promise((resolve) => client.sock.ws.on('CB:notification,type:passkey_prologue_request', resolve));
  await expect(person.scan(await client.qr())).rejects.toThrow('passkey');
  await asked;
  expect(server.record.linked()).not.toContain(person.number);
});

it('links nothing when the connection is cut before the phone has spoken, and the device when it is cut after', async () => {
  const { server } = world;
  const [one, other] = [server.person(world.number()), server.person(world.number())];
  server.faults.onPairing('before');
  const first = world.connect(newCredentials());
  await expect(one.scan(await first.qr())).rejects.toThrow('closed');
  expect(server.record.linked()).not.toContain(one.number);

  server.faults.onPairing('after');
  const credentials = newCredentials();
  const second = world.connect(credentials);
  const scanned = other.scan(await second.qr());
  await second.closed();
  await world.connect(credentials).opened();
  await scanned;
  expect(server.record.connected()).toContain(other.number);
});

it('lets a device in again with the same credentials and nobody else', async () => {
  const { server } = world;
  const number = world.number();
  const { client, credentials } = await world.link(number);
  await client.stop();
  await server.record.until(() => !server.record.connected().includes(number));
  await world.connect(credentials).opened();
  expect(server.record.logins(number)).toBe(2);

  const stranger = newCredentials();
  stranger.creds.me = { id: `${number}:1@s.whatsapp.net` };
  const { code, data } = await world.connect(stranger).closed();
  expect(code).toBe(401);
  expect(data).toMatchObject({ reason: '401' });
});

it('links several devices of one account, each with an id of its own', async () => {
  const number = world.number();
  const [first, second] = [await world.link(number), await world.link(number)];
  expect([first.client.sock.user?.id, second.client.sock.user?.id]).toEqual([`${number}:1@s.whatsapp.net`, `${number}:2@s.whatsapp.net`]);
});

it('ends an older login of the same device as replaced', async () => {
  const { client, credentials } = await world.link(world.number());
  await world.connect(credentials).opened();
  const { code, data } = await client.closed();
  expect(code).toBe(440);
  expect(data).toMatchObject({ attrs: { type: 'replaced' } });
});

it('unlinks on the phone: the device is told so and never let in again', async () => {
  const { server } = world;
  const number = world.number();
  const { client, credentials } = await world.link(number);
  await server.person(number).unlink();
  const { code, data } = await client.closed();
  expect(code).toBe(401);
  expect(data).toMatchObject({ attrs: { type: 'device_removed' } });
  expect(server.record.linked()).not.toContain(number);
  expect((await world.connect(credentials).closed()).code).toBe(401);
});

it('unlinks a device that logs out', async () => {
  const { server } = world;
  const number = world.number();
  const { client, credentials } = await world.link(number);
  await client.sock.logout();
  await server.record.until(() => server.record.logouts.includes(number));
  expect(server.record.linked()).not.toContain(number);
  expect((await world.connect(credentials).closed()).code).toBe(401);
});
