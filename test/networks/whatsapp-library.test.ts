import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { addTransactionCapability, type ConnectionState, DEFAULT_CONNECTION_CONFIG, initAuthCreds, makeWASocket } from 'baileys';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createLibraryLog } from '../../src/networks/whatsapp/worker/library/library-log.ts';
import { boundLidCache } from '../../src/networks/whatsapp/worker/library/lid-cache.ts';
import { boundClosing, holdFrames } from '../../src/networks/whatsapp/worker/library/web-socket.ts';

// worker/library reaches into private parts of these versions. Look at each of its files before you change a version here.
it('the libraries have the versions whose private parts are used', () => {
  const require = createRequire(import.meta.url);
  expect(require('baileys/package.json')).toMatchObject({ version: '7.0.0-rc14' });
  expect(require('libsignal/package.json')).toMatchObject({ version: '6.0.0' });
  // The one that Baileys loads.
  expect(createRequire(require.resolve('baileys'))('ws/package.json')).toMatchObject({ version: '8.23.0' });
});

// Of Baileys 7.0.0-rc14: `mappingCache`, private by its type.
it("the bounded cache takes the place of Baileys' cache of LIDs, and Baileys reads and writes it", async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const store = { get: async () => ({}), set: async () => undefined };
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
  const own = make({ creds: initAuthCreds(), keys }, log, async () => []).lidMapping as unknown as { mappingCache: object };
  expect(own.mappingCache).toMatchObject({ get: expect.any(Function), set: expect.any(Function), clear: expect.any(Function) });

  const { lidMapping } = boundLidCache(make)({ creds: initAuthCreds(), keys }, log, async () => []);
  await lidMapping.storeLIDPNMappings([{ pn: '491701234567@s.whatsapp.net', lid: '99123@lid' }]);
  expect(await lidMapping.getLIDForPN('491701234567@s.whatsapp.net')).toBe('99123@lid');
  const { mappingCache } = lidMapping as unknown as { mappingCache: Map<string, string> };
  expect([...mappingCache.keys()].sort()).toEqual(['lid:99123', 'pn:491701234567']);
  lidMapping.close();
  expect(mappingCache.size).toBe(0);
});

// Of Baileys 7.0.0-rc14 and ws 8.23.0: Baileys' `ws.socket`, protected by its type, is the library's WebSocket; every frame goes through its `send`,
// and the end of a connection through Baileys' `ws.close`.
describe("Baileys' web socket", () => {
  let server: WebSocketServer;
  let other: WebSocket;
  const opened: ReturnType<typeof makeWASocket>[] = [];

  /** A connection of Baileys to a server that only listens, after the first frame of the handshake. */
  async function connected() {
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    const connections = once(server, 'connection');
    await once(server, 'listening');
    const sock = makeWASocket({
      auth: { creds: initAuthCreds(), keys: { get: async () => ({}), set: async () => undefined } },
      logger: createLibraryLog(() => undefined, 'an instance'),
      waWebSocketUrl: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      connectTimeoutMs: 0,
    });
    opened.push(sock);
    [other] = await connections;
    const frames: Buffer[] = [];
    const hello = once(other, 'message');
    other.on('message', (frame: Buffer) => frames.push(frame));
    await hello;
    return { sock, frames };
  }
  afterEach(async () => {
    for (const socket of server.clients) socket.terminate();
    for (const sock of opened.splice(0)) await sock.end(undefined);
    server.close();
  });

  it('is where it is looked for', async () => {
    const { sock } = await connected();
    expect((sock.ws as unknown as { socket: unknown }).socket).toBeInstanceOf(WebSocket);
  });

  it('sends what was held in its order, once it may', async () => {
    const { sock, frames } = await connected();
    const { promise, resolve } = Promise.withResolvers<void>();
    holdFrames(sock.ws, promise);
    const held = [sock.sendRawMessage(Buffer.from('one')), sock.sendRawMessage(Buffer.from('two'))];
    // A ping goes another way; its answer shows that nothing was sent before it.
    (sock.ws as unknown as { socket: WebSocket }).socket.ping();
    await once(other, 'ping');
    expect(frames).toHaveLength(1);
    resolve();
    await Promise.all([...held, sock.sendRawMessage(Buffer.from('three'))]);
    while (frames.length < 4) await once(other, 'message');
    expect(frames.slice(1).map((frame) => frame.subarray(3).toString())).toEqual(['one', 'two', 'three']);
  });

  it('fails what was held, and sends nothing of it, when it may not', async () => {
    const { sock, frames } = await connected();
    const { promise, reject } = Promise.withResolvers<void>();
    holdFrames(sock.ws, promise);
    const held = sock.sendRawMessage(Buffer.from('one'));
    reject(new Error('not stored'));
    await expect(held).rejects.toThrow('could not be');
    (sock.ws as unknown as { socket: WebSocket }).socket.ping();
    await once(other, 'ping');
    expect(frames).toHaveLength(1);
  });

  // Without the bound, ws waits for half a minute.
  it('is closed soon though the other side is silent, and the end is told only then', { timeout: 15_000 }, async () => {
    const { sock } = await connected();
    const { socket } = sock.ws as unknown as { socket: WebSocket };
    boundClosing(sock.ws);
    // It reads nothing any more, so it does not answer.
    other.pause();
    const states: number[] = [];
    sock.ev.on('connection.update', ({ connection }: Partial<ConnectionState>) => {
      if (connection === 'close') states.push(socket.readyState);
    });
    await sock.end(undefined);
    expect(states).toEqual([WebSocket.CLOSED]);
  });
});

// Of Baileys 7.0.0-rc14: its words for a stream that the network ends, which are logged one level lower than other errors.
it('the end of a stream is logged in the words that library-log.ts looks for', async () => {
  const levels: string[] = [];
  const sock = makeWASocket({
    auth: { creds: initAuthCreds(), keys: { get: async () => ({}), set: async () => undefined } },
    logger: createLibraryLog((level, { message }) => void (message === 'stream errored out' && levels.push(level)), 'an instance'),
    // Nobody listens there; nothing of this needs a connection.
    waWebSocketUrl: 'ws://127.0.0.1:9/',
  });
  sock.ws.emit('CB:stream:error', { tag: 'stream:error', attrs: { code: '515' } });
  expect(levels).toEqual(['debug']);
  await sock.end(undefined);
});

// Of Baileys 7.0.0-rc14: guarded-sessions.ts lets those of these that change a Signal session with a person take turns. A new one must be looked at.
it('the Signal repository has the calls that are known', () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const keys = addTransactionCapability({ get: async () => ({}), set: async () => undefined }, log, {
    maxCommitRetries: 1,
    delayBetweenTriesMs: 0,
  });
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: initAuthCreds(), keys }, log, async () => []);
  expect(Object.keys(repository).sort()).toEqual([
    'close',
    'decryptGroupMessage',
    'decryptMessage',
    'deleteSession',
    'encryptGroupMessage',
    'encryptMessage',
    'getSenderKeyDistributionMessage',
    'getSessionInfo',
    'hasSenderKey',
    'injectE2ESession',
    'jidToSignalProtocolAddress',
    'lidMapping',
    'migrateSession',
    'processSenderKeyDistributionMessage',
    'validateSession',
  ]);
  repository.close?.();
});
