import { createServer as createHttpServer } from 'node:http';
import { request } from 'node:https';
import { createServer, type Socket } from 'node:net';
import { DEFAULT_CONNECTION_CONFIG, initAuthCreds } from 'baileys';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryKeys } from 'whatsapp-test-server';
import type { Closing } from '../../src/networks/whatsapp/closing.ts';
import { createLibraryLog, createWorkerLog } from '../../src/networks/whatsapp/worker/library/library-log.ts';
import { connect } from '../../src/networks/whatsapp/worker/lifecycle/connection.ts';
import { createProxyAgent } from '../../src/networks/whatsapp/worker/lifecycle/proxy-agent.ts';
import { listening } from '../support/listening.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** Connects to this address, if so through a proxy, and waits for the end of the connection. */
function closingOf(url: string, proxy: string | null = null): Promise<Closing> {
  const keys = createMemoryKeys();
  const { promise, resolve } = Promise.withResolvers<Closing>();
  const nothing = () => undefined;
  connect({
    auth: { creds: initAuthCreds(), keys },
    keysSoon: keys,
    revision: 1,
    url,
    agent: proxy === null ? null : createProxyAgent(proxy, null),
    proxied: proxy !== null,
    keepAliveMs: 30_000,
    log: createWorkerLog(nothing, 'an instance'),
    libraryLog: createLibraryLog(nothing, 'an instance'),
    caches: {},
    makeSignalRepository: DEFAULT_CONNECTION_CONFIG.makeSignalRepository,
    mayLogIn: null,
    listener: {
      codes: nothing,
      typedCode: nothing,
      passkey: nothing,
      paired: async () => undefined,
      open: nothing,
      versionExpires: nothing,
      credentialsChanged: nothing,
      closed: resolve,
    },
  });
  return promise;
}

// Without an answer at once, the test would run into its time limit.
test.each([403, 405, 503])(
  'a WebSocket that is refused with %s is a lost connection at once, and its socket is closed',
  { timeout: 10_000 },
  async (status) => {
    const server = createHttpServer((_, response) => response.writeHead(status).end('no'));
    const { port, sockets, close } = await listening(server);
    onTestFinished(close);
    expect(await closingOf(`ws://127.0.0.1:${port}/`)).toEqual({ code: null, conflict: null, expireSeconds: null });
    await expect.poll(() => sockets.size).toBe(0);
  },
);

test('so is one that a proxy refuses to connect', { timeout: 10_000 }, async () => {
  const server = createHttpServer();
  server.on('connect', (_, client: Socket) => client.resume().end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'));
  const { port, sockets, close } = await listening(server);
  onTestFinished(close);
  expect(await closingOf('ws://127.0.0.1:9/', `http://127.0.0.1:${port}`)).toMatchObject({ code: null });
  await expect.poll(() => sockets.size).toBe(0);
});

test.each(['http', 'socks5'])('a silent %s proxy is left after half a minute', async (scheme) => {
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  const server = createServer((client) => void client.once('data', () => resolve()));
  const { port, sockets, close } = await listening(server);
  onTestFinished(close);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  const agent = createProxyAgent(`${scheme}://127.0.0.1:${port}`, null);
  const failed = new Promise((fail) => void request('https://mmg.example/', { agent }).once('error', fail).end());
  await connected;
  // Its caller may leave before.
  vi.advanceTimersByTime(29_999);
  expect(sockets.size).toBe(1);
  vi.advanceTimersByTime(1);
  await failed;
  vi.useRealTimers();
  await expect.poll(() => sockets.size).toBe(0);
});
