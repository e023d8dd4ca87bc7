import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { NobodyListens, type OwnServer, openOwnServer } from '../../src/cli/own-server.ts';
import { readConfig } from '../../src/config/index.ts';
import { OperatorError } from '../../src/core/index.ts';
import { certificates } from './certificates.ts';

const mebibyte = 1024 * 1024;

let closing: (() => unknown)[];
beforeEach(() => {
  closing = [];
});
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.reverse()) await close();
});

/** A client of whatever answers on this machine with `listener`. */
async function ownServer(listener: RequestListener): Promise<{ own: OwnServer; server: Server }> {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { own: open(server), server };
}

function open(server: { address(): AddressInfo | string | null }, env: Record<string, string> = {}): OwnServer {
  const own = openOwnServer(readConfig({ PORT: String((server.address() as AddressInfo).port), ...env }));
  closing.push(() => own.close());
  return own;
}

/** What came of it, and without a rejection that nobody hears meanwhile. */
const outcome = (answer: Promise<unknown>): Promise<unknown> => answer.catch((error: unknown) => error);

/** Also when the connection was reset, which `once` would throw. */
async function connectionEnd({ socket }: IncomingMessage): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

test('an answer has status, Retry-After and the parsed body, null where there is none', async () => {
  const { own } = await ownServer((request, response) => {
    if (request.url === '/plain') response.end('fine');
    else response.writeHead(503, { 'retry-after': '3' }).end(JSON.stringify({ key: request.headers.apikey ?? null }));
  });
  expect(await own.get('/x', { apiKey: 'mgw_1' })).toEqual({ status: 503, retryAfter: 3, body: { key: 'mgw_1' } });
  expect(await own.get('/x')).toEqual({ status: 503, retryAfter: 3, body: { key: null } });
  expect(await own.get('/plain')).toEqual({ status: 200, retryAfter: null, body: null });
});

test('an answer may have 1 MiB, and is given up when it is longer, announced or not', async () => {
  const { own } = await ownServer((request, response) => {
    const size = mebibyte - 2 + (request.url === '/fits' ? 0 : 1);
    if (request.url === '/announced') response.setHeader('content-length', size + 2);
    response.write(`"${'x'.repeat(size)}`);
    response.end('"');
  });
  expect((await own.get('/fits')).body).toHaveLength(mebibyte - 2);
  const tooLong = new OperatorError(`the server at ${own.address} could not be asked: its answer is longer than 1 MiB`);
  expect(await outcome(own.get('/chunked'))).toEqual(tooLong);
  expect(await outcome(own.get('/announced'))).toEqual(tooLong);
});

test('an answer without end is cut off', async () => {
  const { promise: gone, resolve } = Promise.withResolvers<void>();
  const { own } = await ownServer((_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000))) {
        // Until the connection is full.
      }
    };
    response.on('drain', more).on('close', resolve);
    more();
  });
  await expect(own.get('/')).rejects.toThrow('longer than 1 MiB');
  await gone;
});

describe('a server that hangs is given up after 20 seconds', () => {
  test.each<[string, RequestListener]>([
    ['before it answers', () => undefined],
    ['in the middle of its answer', (_request, response) => void response.write('{"a":')],
  ])('%s [cli.pair]', async (_, listener) => {
    // Only the timers of the client: those of Node are not the global ones.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { own, server } = await ownServer(listener);
    const answer = outcome(own.get('/'));
    const [request] = (await once(server, 'request')) as [IncomingMessage];
    vi.advanceTimersByTime(19_999);
    await new Promise(setImmediate);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(await answer).toEqual(new OperatorError(`the server at ${own.address} did not answer within 20 seconds`));
    await connectionEnd(request);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test.each<[string, (socket: Socket) => void]>([
  ['closes without an answer', (socket) => socket.end()],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  ['breaks off in the body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a"')],
  ['speaks no HTTP', (socket) => socket.end('220 mail.example ESMTP\r\n')],
  ['switches protocols', (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')],
])('a server that %s is told in one line', async (_, behave) => {
  const server = createTcpServer((socket) => void socket.on('error', () => undefined).once('data', () => behave(socket)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => server.close());
  const own = open(server);
  const error = await outcome(own.get('/'));
  expect(error).toBeInstanceOf(OperatorError);
  expect((error as Error).message).toMatch(/^the server at http:\/\/127\.0\.0\.1:\d+ could not be asked: \S.*$/);
});

test('nobody at the port, or nobody who shakes hands within 3 seconds', async () => {
  const server = createTcpServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'own-server-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  const [certFile, keyFile] = [join(folder, 'own.crt'), join(folder, 'own.pem')];
  writeFileSync(certFile, certificates.first.certificate);
  writeFileSync(keyFile, certificates.first.privateKey);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const secure = outcome(open(server, { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }).get('/'));
  const [socket] = (await once(server, 'connection')) as [Socket];
  vi.advanceTimersByTime(3000);
  expect(await secure).toBeInstanceOf(NobodyListens);
  socket.destroy();
  const own = open(server);
  await new Promise((resolve) => server.close(resolve));
  expect(await outcome(own.get('/'))).toBeInstanceOf(NobodyListens);
  expect(vi.getTimerCount()).toBe(0);
});

describe('an abort passes through', () => {
  const reason = new Error('enough');

  test('before the question', async () => {
    const { own } = await ownServer((_request, response) => response.end('{}'));
    expect(await outcome(own.get('/', { signal: AbortSignal.abort(reason) }))).toBe(reason);
  });

  test.each([false, true])('while it waits (answer begun: %s)', async (begun) => {
    const interrupted = new AbortController();
    const { own, server } = await ownServer((_request, response) => void (begun && response.write('{')));
    const answer = outcome(own.get('/', { signal: interrupted.signal }));
    await once(server, 'request');
    // Until what was written has arrived.
    await new Promise((resolve) => setTimeout(resolve, 50));
    interrupted.abort(reason);
    expect(await answer).toBe(reason);
  });
});

test('close ends what is under way', async () => {
  const { own, server } = await ownServer(() => undefined);
  const answer = outcome(own.get('/'));
  await once(server, 'request');
  await own.close();
  expect(await answer).toBeInstanceOf(OperatorError);
});
