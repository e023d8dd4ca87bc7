import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { startWhatsAppServer } from 'whatsapp-test-server';
import { startFileServer } from '../support/file-server.ts';
import { waitFor } from '../support/wait-for.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { doctor } from './doctor.ts';
import { createLoadClient } from './load-client.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { createGround } from './stores.ts';
import { awaitOpen, linkByScan, whatsappSettings } from './whatsapp-numbers.ts';

const openFiles = (server: ServerProcess) => readdirSync(`/proc/${server.child.pid}/fd`).length;
const pidOf = (server: ServerProcess) => String(server.child.pid);

/** The processor time that a process has used so far, in milliseconds. */
function processorMs(server: ServerProcess): number {
  // After the name, which ends with a bracket: the 12th and 13th field, in hundredths of a second.
  const fields = readFileSync(`/proc/${server.child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Clients that take every connection they get and say nothing; those that come back do so a second after they are let go. */
function greedyClients(address: string, count: number, { comeBack }: { comeBack: boolean }) {
  const { hostname, port } = new URL(address);
  const sockets = new Set<Socket>();
  let stopped = false;
  let connected = 0;
  const take = () => {
    if (stopped) return;
    const socket = connect(Number(port), hostname);
    sockets.add(socket);
    socket.on('connect', () => connected++);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (comeBack && !stopped) setTimeout(take, 1000);
    });
    socket.resume();
  };
  for (let n = 0; n < count; n++) take();
  return {
    connected: () => connected,
    stop() {
      stopped = true;
      for (const socket of sockets) socket.destroy();
    },
  };
}

it('a gateway that may open few files bounds its connections by that, says so once, and goes on working', async () => {
  const ground = await createGround('sqlite');
  const store = await ground.database.open();
  const accounts = await createSenders(store, 1, { trials: [] }).finally(() => store.close());
  const env = { ...ground.env, LOG_LEVEL: 'warn' };
  const few = ['prlimit', '--nofile=256'];
  const server = startServer(env, { command: few });
  try {
    const address = await server.ready;
    const client = createLoadClient(address, 1);
    const [sender] = await linkNumbers(client, accounts);
    const clients = greedyClients(address, 600, { comeBack: false });
    await waitFor(() => expect(clients.connected()).toBe(600));
    // Old connections are answered on, new ones are let in, and it sends.
    for (let n = 0; n < 20; n++) {
      expect((await fetch(`${address}/health`, { headers: { connection: 'close' } })).status).toBe(200);
      const sent = await client.call({
        path: '/v1/messages/text',
        key: sender?.key ?? '',
        body: { instance_id: sender?.instanceId, to: `4917012301${n + 10}`, text: 'x' },
      });
      expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    }
    expect(openFiles(server)).toBeLessThan(256 * 0.75);
    clients.stop();
    await client.close();
    const said = server
      .stdout()
      .split('\n')
      .filter((line) => line.includes('256 files'));
    expect(said, server.stdout()).toHaveLength(1);
    expect(said[0]).toContain('LimitNOFILE');
    const found = await doctor({ ...env, PORT: new URL(address).port }, few);
    expect(found['open files']).toMatchObject({ state: 'warn', message: expect.stringContaining('256') });
    expect(await server.terminate(), server.stderr()).toEqual({ code: 0, signal: null });
  } finally {
    await server.kill();
    await ground.dispose();
  }
});

it('a WhatsApp gateway whose clients hold every descriptor goes on as far as it can, loses and doubles nothing, and recovers by itself', async () => {
  const ground = await createGround('sqlite');
  const network = await startWhatsAppServer();
  const files = await startFileServer();
  const store = await ground.database.open();
  const accounts = await createSenders(store, 1, { trials: [] }).finally(() => store.close());
  const server = startServer({ ...ground.env, ...whatsappSettings(network), MEDIA_ALLOW_HOSTS: files.allowed, LOG_LEVEL: 'info' });
  try {
    const address = await server.ready;
    const client = createLoadClient(address, 4);
    const [sender] = await linkByScan(client, network, accounts);
    if (sender === undefined) throw new Error('no sender');
    const phone = network.person('491701230001');
    const send = (kind: string, fields: object, idempotencyKey: string) =>
      client.call({
        path: `/v1/messages/${kind}`,
        key: sender.key,
        body: { instance_id: sender.instanceId, to: phone.number, ...fields },
        headers: { 'idempotency-key': idempotencyKey },
      });
    const document = (path: string) => ({ url: files.url(path), filename: path.slice(1) });
    expect((await send('text', { text: 'before' }, 'before-it')).status).toBe(200);
    // It is kept, so that what is missing for it later is its conversion.
    const picture = readFileSync(new URL('../../samples/photo.jpg', import.meta.url));
    files.serve('/photo.jpg', { bytes: picture, headers: { 'cache-control': 'max-age=600' } });
    expect((await send('document', document('/photo.jpg'), 'kept-file')).status).toBe(200);
    // Its connections are there before the shortage.
    await Promise.all(Array.from({ length: 4 }, () => client.call({ method: 'GET', path: '/health' })));
    let answerFile: ServerResponse | undefined;
    files.serve('/slow.pdf', {
      answer: (response) => {
        answerFile = response;
      },
    });
    const underWay = send('document', document('/slow.pdf'), 'under-way');
    await Promise.race([
      files.requested('/slow.pdf'),
      underWay.then((early) => {
        throw new Error(JSON.stringify(early.body));
      }),
    ]);

    const limit = openFiles(server) + 60;
    execFileSync('prlimit', ['--pid', pidOf(server), `--nofile=${limit}:`]);
    const clients = greedyClients(address, 300, { comeBack: true });
    await waitFor(() => expect(openFiles(server)).toBeGreaterThanOrEqual(limit - 1));
    const before = { processor: processorMs(server), at: Date.now() };
    for (let n = 0; n < 5; n++) expect((await send('text', { text: `during ${n}` }, `during-it-${n}`)).status).toBe(200);
    files.serve('/new.pdf');
    // A file needs a connection to be fetched, a descriptor to be kept and a connection to be sent; which of them it gets depends on the clients.
    const told = ['sent', 'media_fetch_failed', 'upstream_unavailable'];
    const codeOf = ({ status, body }: Awaited<typeof underWay>) => (status === 200 ? 'sent' : body.error?.code);
    expect(told).toContain(codeOf(await send('document', document('/new.pdf'), 'new-file')));
    expect(told).toContain(codeOf(await send('image', { url: files.url('/photo.jpg') }, 'new-image')));
    answerFile?.end('%PDF-1.4 slow');
    expect(told).toContain(codeOf(await underWay));
    // It looks every five seconds.
    const shortage = () => server.stdout().split('as many files and connections open as it may').length - 1;
    await waitFor(() => expect(shortage()).toBe(1));
    // One that spins takes all of it.
    const share = (processorMs(server) - before.processor) / (Date.now() - before.at);
    expect(share).toBeLessThan(0.5);

    // It comes back when it gets a descriptor, perhaps only when the clients have gone.
    await network.faults.end(sender.phoneNumber, { kind: 'drop' });

    clients.stop();
    await awaitOpen(client, [sender]);
    files.serve('/slow.pdf');
    // It recovers by itself, in a moment; a key that is asked for again sends once all the same.
    const recovers = (again: () => ReturnType<typeof send>) => waitFor(async () => expect((await again()).status).toBe(200));
    await recovers(() => send('document', document('/new.pdf'), 'new-file'));
    await recovers(() => send('document', document('/slow.pdf'), 'under-way'));
    await recovers(() => send('image', { url: files.url('/photo.jpg') }, 'new-image'));
    await recovers(() => send('text', { text: 'after' }, 'after-it'));
    const received = await phone.received();
    expect(received.map(({ times }) => times)).toEqual(Array.from({ length: 11 }, () => 1));
    await waitFor(() => expect(server.stdout()).toContain('can be opened again'));
    await client.close();
    expect(await server.terminate(), server.stderr()).toEqual({ code: 0, signal: null });
  } finally {
    await server.kill();
    await files.close();
    await network.close();
    await ground.dispose();
  }
});
