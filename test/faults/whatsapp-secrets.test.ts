import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWhatsAppServer, type WhatsAppServer } from 'whatsapp-test-server';
import { createVault } from '../../src/core/index.ts';
import { type FileServer, startFileServer } from '../support/file-server.ts';
import { Secrets } from '../support/secrets.ts';
import { createSenders, type Sender } from './customers.ts';
import { type Answer, createLoadClient, type LoadClient } from './load-client.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { createGround, type Ground } from './stores.ts';
import { addStoredCredentials } from './whatsapp-credentials.ts';
import { serveFiles } from './whatsapp-files.ts';
import { everyMediaKind, everyPlainKind, type MediaLinks } from './whatsapp-kinds.ts';
import { awaitOpen, linkByScan, until, whatsappSettings } from './whatsapp-numbers.ts';

const secretKey = randomBytes(32);
const linkToken = 'signature-of-a-link-5b1c';

let network: WhatsAppServer;
let files: FileServer;
let media: MediaLinks;
let ground: Ground;
beforeAll(async () => {
  network = await startWhatsAppServer();
  files = await startFileServer();
  media = await serveFiles(files, `?token=${linkToken}`);
  ground = await createGround('sqlite');
});
afterAll(async () => {
  await ground?.dispose();
  await files?.close();
  await network?.close();
});

it('a gateway that logs everything it can tells no key, no code, no message and no credential', async () => {
  const secrets = new Secrets();
  secrets.addBytes('SECRET_KEY', secretKey);
  secrets.addText('SECRET_KEY as set', secretKey.toString('hex'));
  secrets.addText("a link's token", linkToken);
  const env = {
    ...ground.env,
    ...whatsappSettings(network),
    LOG_LEVEL: 'trace',
    SECRET_KEY: secretKey.toString('hex'),
    MEDIA_ALLOW_HOSTS: files.allowed,
  };
  const store = await ground.database.open();
  const accounts = await createSenders(store, 3);
  for (const { key } of accounts) {
    secrets.addText('an API key', key);
    // What follows the prefix is the secret; the prefix itself is shown to customers.
    secrets.addText("an API key's secret", key.slice(key.lastIndexOf('_') + 1));
  }
  const vault = createVault(secretKey);
  const rememberCredentials = () => addStoredCredentials(secrets, store, vault);

  let logged = '';
  const run = async (work: (client: LoadClient, server: ServerProcess) => Promise<unknown>) => {
    const server = startServer(env);
    const client = createLoadClient(await server.ready);
    try {
      await work(client, server);
    } finally {
      await client.close();
      await server.kill();
      logged += server.stdout() + server.stderr();
    }
  };

  let senders: Sender[] = [];
  await run(async (client, server) => {
    const scene = { client, network, secrets };
    senders = await linkNumbers(scene, accounts);
    await rememberCredentials();
    await sendEverything(scene, senders, 'first', media);
    await sendAmiss(scene, senders);
    await rememberCredentials();
    await server.kill();
  });
  await run(async (client, server) => {
    const scene = { client, network, secrets };
    await sendEverything(scene, senders, 'after a crash', media);
    for (const sender of senders) await crossInTheMail(scene, sender);
    await loseConnections(scene, senders);
    await rememberCredentials();
    await unlink(scene, senders);
    expect(await server.terminate()).toEqual({ code: 0, signal: null });
  });
  await store.close();

  // Else there would be nothing to look for, or nothing to look in.
  expect(secrets.count).toBeGreaterThan(3 * 812);
  expect(logged.split('\n').filter((line) => line.startsWith('{')).length).toBeGreaterThan(10);
  expect(secrets.foundIn(logged)).toEqual([]);
});

interface Scene {
  readonly client: LoadClient;
  readonly network: WhatsAppServer;
  readonly secrets: Secrets;
}

/** Two numbers are linked by a scan, after attempts that fail; one by a code. All codes shown are secrets. */
async function linkNumbers({ client, network, secrets }: Scene, accounts: readonly Omit<Sender, 'instanceId'>[]): Promise<Sender[]> {
  const [byCode, ...byScan] = accounts;
  if (byCode === undefined) throw new Error('no account');
  const watching: LoadClient = {
    ...client,
    async call(call) {
      const answer = await client.call(call);
      const { code, pairingCode } = answer.body?.data?.qrcode ?? {};
      if (typeof code === 'string') addCode(secrets, code);
      if (typeof pairingCode === 'string') secrets.addText('a pairing code', pairingCode);
      return answer;
    },
  };
  const key = byCode.key;
  const instanceId: string = (await watching.call({ path: '/v1/instances', key, body: {} })).body.data.instance_id;
  const ask = (rest: string) => watching.call({ method: 'GET', path: `/v1/instances/${instanceId}/${rest}`, key });
  const shown = () => until('a code', async () => (await ask('qr')).body.data?.qrcode?.code ?? null);
  const shownAfter = (old: string) => until('another code', async () => ((await shown()) === old ? null : shown()));

  network.faults.askPasskey(true);
  const first = await shown();
  await expect(network.person(byCode.phoneNumber).scan(first, () => shownAfter(first))).rejects.toThrow('passkey');
  network.faults.askPasskey(false);
  const { challenge } = await until('a passkey to be asked for', async () => (await ask('passkey')).body.data.options);
  secrets.addText('the challenge of a passkey', challenge);
  await watching.call({ method: 'DELETE', path: `/v1/instances/${instanceId}?logout_only=true`, key });

  await shown();
  const typed = await until(
    'a pairing code',
    async () => (await ask(`qr?phone_number=${byCode.phoneNumber}`)).body.data.qrcode.pairingCode,
  );
  await expect(network.person(byCode.phoneNumber).enterPairingCode('WRONGONE')).rejects.toThrow();
  await network.person(byCode.phoneNumber).enterPairingCode(typed);
  await until('the number to be open', async () => ((await ask('status')).body.data.status === 'open' ? true : null));
  return [{ ...byCode, instanceId }, ...(await linkByScan(watching, network, byScan))];
}

/** Everything of a QR code that is not known to all: what follows its address, in pieces. */
function addCode(secrets: Secrets, code: string): void {
  secrets.addText('a QR code', code);
  for (const part of code.slice(code.indexOf('#') + 1).split(',')) if (part.length > 8) secrets.addText("a QR code's part", part);
}

/** Each number sends each kind, and people answer. */
async function sendEverything({ client, network, secrets }: Scene, senders: readonly Sender[], when: string, links: MediaLinks) {
  for (const [n, sender] of senders.entries()) {
    const to = `4915160${String(10_000 + n)}`;
    const mark = (type: string) => {
      const text = `${type} for nobody else ${when} from ${sender.phoneNumber}`.replaceAll(' ', '-');
      secrets.addText(`the words of a ${type}`, text);
      return text;
    };
    for (const { type, fields } of [...everyPlainKind(mark), ...everyMediaKind(mark, links)]) {
      const body = { instance_id: sender.instanceId, to, ...fields };
      const headers = { 'idempotency-key': `${when}-${sender.phoneNumber}-${type}`.replaceAll(' ', '-') };
      const answer = await client.call({ path: `/v1/messages/${type}`, key: sender.key, body, headers });
      expect([type, answer.status, answer.body.error]).toEqual([type, 200, undefined]);
    }
    const reply = `an answer to ${sender.phoneNumber} ${when}`;
    secrets.addText('the words of an answer', reply);
    // From somebody known and from somebody new: each makes the number's keys move on.
    await network.person(to).send(sender.phoneNumber, reply);
    const last = await network.person(`4915161${String(10_000 + n)}`).send(sender.phoneNumber, reply);
    await network.record.until(() => network.record.receipts.some(({ id }) => id === last));
  }
}

/** Sends that go wrong, each in its own way. */
async function sendAmiss({ client, network, secrets }: Scene, senders: readonly Sender[]): Promise<void> {
  const [sender] = senders;
  if (sender === undefined) throw new Error('no sender');
  const { instanceId: instance_id, key } = sender;
  let people = 0;
  const send = async (type: string, fields: object, to = `4915162${String(10_000 + people++)}`): Promise<Answer> => {
    const text = `words-that-went-astray-${people}`;
    secrets.addText('words that went astray', text);
    return client.call({ path: `/v1/messages/${type}`, key, body: { instance_id, to, text, caption: text, filename: text, ...fields } });
  };
  const { faults } = network;

  faults.onMessage({ times: 2 }, { kind: 'refuse', code: 479 });
  expect((await send('text', {})).status).toBe(502);
  // Which refusal it becomes is looked at elsewhere.
  faults.onMessage({ times: 2 }, { kind: 'refuse', code: 463 });
  expect((await send('text', {})).status).not.toBe(200);
  faults.clear();
  faults.onMessage({}, { kind: 'undecryptable' });
  expect((await send('text', {})).status).toBe(200);
  faults.onUsync({}, { kind: 'error' });
  await send('text', {});
  faults.onUpload({ times: 5 }, { kind: 'refuse' });
  await send('document', { url: `${media.document[0]}&again` });
  faults.clear();
  expect((await send('image', { url: files.url(`/missing?token=${linkToken}`) })).status).toBe(422);
  const page = files.serve(`/page?token=${linkToken}`, { bytes: Buffer.from('<html></html>'), headers: { 'content-type': 'image/jpeg' } });
  for (const type of ['image', 'video', 'audio', 'sticker']) await send(type, { url: page });
  network.person('4915163000001').is({ onNetwork: false });
  expect((await send('text', {}, '4915163000001')).status).toBe(422);
  expect((await send('poll', { question: 5 })).status).toBe(400);
  faults.onMessage({}, { kind: 'drop' });
  expect((await send('text', {})).status).toBe(502);
  const wrongKey = `${key.slice(0, -4)}xxxx`;
  secrets.addText('a wrong API key', wrongKey);
  expect((await client.call({ path: '/v1/messages/text', key: wrongKey, body: { instance_id } })).status).toBe(401);
}

/** Somebody whom a message has not reached writes first: the Signal library then prints the session it replaces, private keys and all. */
async function crossInTheMail({ client, network, secrets }: Scene, { instanceId, key, phoneNumber }: Sender): Promise<void> {
  const to = '4915164000001';
  const text = 'words that crossed in the mail';
  secrets.addText(text, text);
  network.faults.onMessage({ to }, { kind: 'drop_before' });
  const sent = await client.call({ path: '/v1/messages/text', key, body: { instance_id: instanceId, to, text } });
  expect(sent.status).toBe(502);
  const written = await network.person(to).send(phoneNumber, text);
  await network.record.until(() => network.record.receipts.some(({ id }) => id === written));
}

/** The network ends the connections in each of its ways, and lets them come back. */
async function loseConnections({ client, network }: Scene, senders: readonly Sender[]): Promise<void> {
  const [first, second, third] = senders;
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few senders');
  await network.faults.end(first.phoneNumber, { kind: 'drop' });
  await network.faults.end(second.phoneNumber, { kind: 'stream_error', code: 503 });
  await network.faults.end(third.phoneNumber, { kind: 'stream_error', code: 515 });
  network.faults.onLogin(first.phoneNumber, { code: 503 });
  await until('a refused login', async () => (network.record.connected().includes(second.phoneNumber) ? true : null));
  network.faults.onLogin(first.phoneNumber, null);
  await awaitOpen(client, senders);
}

/** One number is unlinked on its phone, one by the gateway, one is logged in elsewhere. */
async function unlink({ client, network }: Scene, senders: readonly Sender[]): Promise<void> {
  const [first, second, third] = senders;
  if (first === undefined || second === undefined || third === undefined) throw new Error('too few senders');
  await network.person(first.phoneNumber).unlink();
  await network.faults.end(second.phoneNumber, { kind: 'stream_error', code: 440, conflict: 'replaced' });
  const gone = await client.call({ method: 'DELETE', path: `/v1/instances/${third.instanceId}`, key: third.key });
  expect(gone.status).toBe(200);
  for (const { key, instanceId } of [first, second]) {
    await until('the number to be unlinked', async () => {
      const { body } = await client.call({ method: 'GET', path: `/v1/instances/${instanceId}/status`, key });
      return body.data.status === 'close' ? true : null;
    });
  }
}
