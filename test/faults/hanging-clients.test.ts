import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectionLimits } from '../../src/http/index.ts';
import { certificates } from '../cli/certificates.ts';
import { openStream } from '../support/event-stream.ts';
import { type Customer, startGateway, type TestGateway } from '../support/gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { openSockets } from '../support/open-sockets.ts';
import { memberOf } from '../support/portal.ts';
import { waitFor } from '../support/wait-for.ts';

/** The waits of a server that has little time, in the same order as the real ones; long enough for well-behaved clients of a busy machine. */
const short = { stallMs: 1500, headMs: 1600, idleMs: 2000 } satisfies Partial<ConnectionLimits>;
const request = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n';
const postHead = (key: string, length: number) =>
  `POST /v1/messages/text HTTP/1.1\r\nhost: x\r\napikey: ${key}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;

/** Clients that keep a connection and do nothing with it; each is given an open socket. */
const hanging: Readonly<Record<string, (socket: Socket, key: string) => void>> = {
  'say nothing': () => undefined,
  'say half a head': (socket) => void socket.write('GET /health HTTP/1.1\r\nhost: '),
  'say half a body': (socket, key) => void socket.write(`${postHead(key, 1000)}{"text": "half a bo`),
  'say half a body without a key': (socket) => void socket.write(`${postHead('', 1000)}{"text": "half a bo`),
  'say nothing after their answer': (socket) => void socket.resume().write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n'),
  'never read their answers': (socket) => void socket.pause().write(request.repeat(100)),
};

let gateway: TestGateway;
let customer: Customer;
let sockets: Socket[] = [];
let folder: string | null = null;

async function start(limits: Partial<ConnectionLimits>, env: Record<string, string> = {}, overrides = {}): Promise<void> {
  gateway = await startGateway('sqlite', { env, overrides: { connectionLimits: limits, ...overrides } });
  if (!gateway.address.startsWith('https:')) customer = await gateway.customer();
}

/** A connection that notices its end only when it reads. */
async function open(from = '127.0.0.1'): Promise<Socket> {
  const { port } = new URL(gateway.address);
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress: from, allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const openMany = (count: number, from?: string) => Promise.all(Array.from({ length: count }, () => open(from)));
const isUp = async () => expect((await fetch(`${gateway.address}/health`)).status).toBe(200);
/** Both ends of every connection are in this process. */
const serverSockets = () => openSockets() - sockets.filter(({ destroyed }) => !destroyed).length;
const othersAreGone = (before: number) => waitFor(() => expect(serverSockets()).toBeLessThanOrEqual(before));

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await gateway.stop();
  if (folder !== null) rmSync(folder, { recursive: true });
  folder = null;
});

describe('clients that hang', () => {
  it.each(Object.entries(hanging))('are let go when they %s', async (_what, hang) => {
    await start(short);
    const before = openSockets();
    // Unread answers cost the test more than they show.
    const count = hang === hanging['never read their answers'] ? 5 : 20;
    for (const socket of await openMany(count)) hang(socket, customer.key);
    await othersAreGone(before);
    await isUp();
  });

  it('are let go when they begin no TLS connection', async () => {
    folder = mkdtempSync(join(tmpdir(), 'gateway-hanging-'));
    const files = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };
    writeFileSync(files.TLS_CERT_FILE, certificates.first.certificate);
    writeFileSync(files.TLS_KEY_FILE, certificates.first.privateKey);
    await start(short, files);
    const before = openSockets();
    // After its handshake it is a client like those without TLS.
    const socket = await open();
    const secure = connectTls({ socket, rejectUnauthorized: false });
    secure.on('error', () => undefined);
    await once(secure, 'secureConnect');
    secure.pause().write(request.repeat(100));
    const [silent, half] = await openMany(2);
    half?.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01]));
    expect(silent?.destroyed).toBe(false);
    await othersAreGone(before);
  });

  it('1,500 at once do not keep others from being answered, and all are let go', async () => {
    await start(short);
    const before = openSockets();
    const { 'never read their answers': unread, ...rest } = hanging;
    const ways = Object.values(rest);
    for (let round = 0; round < 15; round++) {
      for (const [n, socket] of (await openMany(100)).entries()) (n === 0 ? unread : ways[n % ways.length])?.(socket, customer.key);
      await isUp();
    }
    await othersAreGone(before);
    await isUp();
  });

  it('find room for no more than their share, and the one that waited longest makes room for the next', async () => {
    await start({ perAddress: 20, altogether: 50 });
    const before = openSockets();
    const first = await openMany(20);
    const asking = first[5] as Socket;
    asking.resume().write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(asking, 'data');
    await openMany(100);
    await waitFor(() => expect(serverSockets()).toBeLessThanOrEqual(before + 20));
    // It is between two requests, so those that never asked go first.
    asking.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(asking, 'data');
    await isUp();
    await openMany(30, '127.0.0.2');
    await openMany(30, '127.0.0.3');
    const [last] = await openMany(1, '127.0.0.4');
    // The server takes connections in their order, so when it answers this one it has taken the others.
    last?.resume().write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(last as Socket, 'data');
    await waitFor(() => expect(serverSockets()).toBeLessThanOrEqual(before + 50));
    await isUp();
  });

  it('do not make room at the cost of requests that are worked on', async () => {
    const clock = createManualClock();
    await start({ perAddress: 3 }, {}, { clock });
    const instance_id = await customer.linked();
    const body = JSON.stringify({ instance_id, to: '491701230005', text: 'x' });
    const busy = await openMany(3, '127.0.0.2');
    const answers = busy.map((socket) => once(socket.setEncoding('utf8'), 'data'));
    for (const socket of busy) socket.write(postHead(customer.key, body.length) + body);
    await waitFor(async () => expect(await customer.received('491701230005')).toHaveLength(3));
    const late = (await open('127.0.0.2')).resume();
    await once(late, 'end');
    await clock.advanceAsync(3000);
    for (const [answer] of await Promise.all(answers)) expect(answer).toContain('HTTP/1.1 200 OK');
  });

  it('do not hold up a stop, however long they may stay otherwise', async () => {
    const long = 4 * 60 * 1000;
    await start({ stallMs: long, headMs: long, idleMs: long, requestMs: long, stopMs: long });
    const { 'say nothing': silent, 'say half a head': half, 'say nothing after their answer': idle } = hanging;
    const ways = [silent, half, idle].map(async (way) => way?.(await open(), customer.key));
    await Promise.all(ways);
    await isUp();
    await gateway.app.stop();
  });

  it('behind a trusted proxy do not count as one address, and its idle connections are its own affair', async () => {
    await start({ idleMs: short.idleMs, perAddress: 5 }, { TRUST_PROXY: '127.0.0.1' });
    const ask = async (socket: Socket) => {
      socket.resume().write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
      await once(socket, 'data');
    };
    const proxied = await openMany(20);
    await Promise.all(proxied.map(ask));
    const direct = await open('127.0.0.2');
    await ask(direct);
    await once(direct, 'end');
    await Promise.all(proxied.map(ask));
  });
});

describe('clients that are slow', () => {
  it('may take their time for a large body while something comes', async () => {
    // This process may be held up, too: only a pause of four seconds would be taken for the client's.
    const stallMs = 5000;
    await start({ stallMs });
    const body = JSON.stringify({ instance_id: customer.accountId, to: '15550123', text: 'x', unknown: 'x'.repeat(120_000) });
    const socket = (await open()).setEncoding('utf8');
    const answer = once(socket, 'data');
    socket.write(postHead(customer.key, body.length));
    const pieces = 6;
    for (let piece = 0; piece < pieces; piece++) {
      socket.write(body.slice((piece * body.length) / pieces, ((piece + 1) * body.length) / pieces));
      // A phone's pace: the whole takes longer than any silence may.
      await pause(stallMs / (pieces - 1));
    }
    expect((await answer)[0]).toContain('instance_not_found');
  });

  it('keep a live stream, and a send whose network takes its time, through silences', async () => {
    const clock = createManualClock();
    await start(short, {}, { clock });
    const instance_id = await customer.linked();
    const member = await memberOf(gateway, customer.accountId);
    const stream = await openStream(gateway, member);
    await stream.next('reset');
    const answer = customer.send('text', { instance_id, to: '491701230005', text: 'x' });
    await waitFor(async () => expect(await customer.received('491701230005')).toHaveLength(1));
    // Two silent clients, one after the other, show that more time has passed than a silence may last.
    for (let time = 0; time < 2; time++) await once((await open()).resume(), 'end');
    await clock.advanceAsync(3000);
    expect((await answer).status).toBe(200);
    gateway.app.feed.publish(customer.accountId, { type: 'instance_removed', instanceId: 'x' });
    expect((await stream.next('instance_removed')).data.instance_id).toBe('x');
    stream.close();
  });
});
