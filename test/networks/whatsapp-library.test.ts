import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import {
  addTransactionCapability,
  type ConnectionState,
  Curve,
  configureSuccessfulPairing,
  DEFAULT_CONNECTION_CONFIG,
  generateSignalPubKey,
  initAuthCreds,
  makeWASocket,
  proto,
  signedKeyPair,
  writeRandomPadMax16,
} from 'baileys';
import { buildMergedTcTokenIndexWrite } from 'baileys/lib/Utils/tc-token-utils.js';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createMemoryKeys } from 'whatsapp-test-server';
import { WebSocket, WebSocketServer } from 'ws';
import { createLibraryLog, createWorkerLog } from '../../src/networks/whatsapp/worker/library/library-log.ts';
import { boundLidLookups } from '../../src/networks/whatsapp/worker/library/lid-lookups.ts';
import { createSignalKeys, KeysUnreadable, writeBesideKeys } from '../../src/networks/whatsapp/worker/library/signal-keys.ts';
import {
  lookAtPlaintexts,
  storeFirstMapping,
  storeStartsIn,
  watchUnreadable,
} from '../../src/networks/whatsapp/worker/library/signal-repository.ts';
import { keepSignedPreKeys, readWithKeptPreKeys } from '../../src/networks/whatsapp/worker/library/signed-pre-keys.ts';
import { boundClosing, holdFrames } from '../../src/networks/whatsapp/worker/library/web-socket.ts';

// worker/library reaches into private parts of these versions. Look at each of its files before you change a version here.
it('the libraries have the versions whose private parts are used', () => {
  const require = createRequire(import.meta.url);
  expect(require('baileys/package.json')).toMatchObject({ version: '7.0.0-rc14' });
  expect(require('libsignal/package.json')).toMatchObject({ version: '6.0.0' });
  // The one that Baileys loads.
  expect(createRequire(require.resolve('baileys'))('ws/package.json')).toMatchObject({ version: '8.23.0' });
});

it('keys that cannot be read end a connection, and say nothing when it has ended already', async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const reported: unknown[] = [];
  let isOver = false;
  const failing = () => Promise.reject(new KeysUnreadable('closed'));
  const make: typeof DEFAULT_CONNECTION_CONFIG.makeSignalRepository = (...args) => ({
    ...DEFAULT_CONNECTION_CONFIG.makeSignalRepository(...args),
    decryptMessage: failing,
  });
  const watched = watchUnreadable(make, { isOver: () => isOver, unreadable: (error) => reported.push(error) });
  const keys = addTransactionCapability(createMemoryKeys(), log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const repository = watched({ creds: initAuthCreds(), keys }, log, async () => []);
  const read = () => repository.decryptMessage({ jid: '991@lid', type: 'msg', ciphertext: Buffer.of(1) });
  await expect(read()).rejects.toThrow('closed');
  expect(reported).toHaveLength(1);
  isOver = true;
  await expect(read()).rejects.toThrow('closed');
  expect(reported).toHaveLength(1);
  repository.close?.();
});

// Of Baileys 7.0.0-rc14: its storage for libsignal answers that there is no record when a record cannot be read.
it('a Signal record that cannot be read is not taken for none', async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const memory = createMemoryKeys();
  const store: typeof memory = {
    ...memory,
    get: (type, ids) => (type === 'session' ? Promise.reject(new KeysUnreadable('closed')) : memory.get(type, ids)),
  };
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const message = { jid: '991@lid', type: 'msg', ciphertext: Buffer.of(0x33) } as const;
  const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
  const auth = { creds: initAuthCreds(), keys };
  await expect(make(auth, log, async () => []).decryptMessage(message)).rejects.toThrow('No session record');
  const reported: unknown[] = [];
  const watched = watchUnreadable(make, { isOver: () => false, unreadable: (error) => reported.push(error) });
  await expect(watched(auth, log, async () => []).decryptMessage(message)).rejects.toThrow('closed');
  expect(reported).toHaveLength(1);
});

// Of Baileys 7.0.0-rc14: `mappingCache`, private by its type.
it("the bounded cache takes the place of Baileys' cache of LIDs, and Baileys reads and writes it", async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const store = { get: async () => ({}), set: async () => undefined };
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
  const own = make({ creds: initAuthCreds(), keys }, log, async () => []).lidMapping as unknown as { mappingCache: object };
  expect(own.mappingCache).toMatchObject({ get: expect.any(Function), set: expect.any(Function), clear: expect.any(Function) });

  const { lidMapping } = boundLidLookups(make)({ creds: initAuthCreds(), keys }, log, async () => []);
  await lidMapping.storeLIDPNMappings([{ pn: '491701234567@s.whatsapp.net', lid: '99123@lid' }]);
  expect(await lidMapping.getLIDForPN('491701234567@s.whatsapp.net')).toBe('99123@lid');
  const { mappingCache } = lidMapping as unknown as { mappingCache: Map<string, string> };
  expect([...mappingCache.keys()].sort()).toEqual(['lid:99123', 'pn:491701234567']);
  lidMapping.close();
  expect(mappingCache.size).toBe(0);
});

// Of Baileys 7.0.0-rc14: the form in which it stores which LID belongs to a number.
it('the first LID of a number is stored in the form that Baileys reads, and a later one by Baileys', async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const store = createMemoryKeys();
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const asked: unknown[] = [];
  const { lidMapping } = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds: initAuthCreds(), keys }, log, async (numbers) => {
    asked.push(numbers);
    return [];
  });
  expect(await storeFirstMapping(store, '491701234567', '99123')).toBe(true);
  expect(await lidMapping.getLIDForPN('491701234567@s.whatsapp.net')).toBe('99123@lid');
  expect(await lidMapping.getPNForLID('99123@lid')).toBe('491701234567:0@s.whatsapp.net');
  expect(asked).toEqual([]);
  expect(await storeFirstMapping(store, '491701234567', '99124')).toBe(false);
  expect(await store.get('lid-mapping', ['491701234567', '99124_reverse'])).toEqual({ 491701234567: '99123' });
  lidMapping.close();
});

// Of Baileys 7.0.0-rc14: a SignalSession is started in a transaction of its own.
it('a SignalSession that is started is stored by the keys that are given for it, and used from there', async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
  const [store, owner] = [createMemoryKeys(), initAuthCreds()];
  const soon: unknown[] = [];
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const keysSoon = {
    ...store,
    set: (data: Parameters<typeof store.set>[0]) => {
      soon.push(...Object.keys(data.session ?? {}));
      return store.set(data);
    },
  };
  const repository = storeStartsIn(keysSoon, make)({ creds: initAuthCreds(), keys }, log, async () => []);
  const { signedPreKey, registrationId, signedIdentityKey } = owner;
  const publicKey = generateSignalPubKey(signedPreKey.keyPair.public);
  const session = {
    registrationId,
    identityKey: generateSignalPubKey(signedIdentityKey.public),
    signedPreKey: { keyId: signedPreKey.keyId, publicKey, signature: signedPreKey.signature },
  };
  await repository.injectE2ESession({ jid: '1@lid', session });
  expect(soon).toEqual(['1_1.0']);
  expect(await repository.encryptMessage({ jid: '1@lid', data: Buffer.from('Hello') })).toMatchObject({ type: 'pkmsg' });
  // In a transaction of the library, what was read in it before must not be older.
  await keys.transaction(() => repository.injectE2ESession({ jid: '2@lid', session }), 'a transaction');
  expect(soon).toEqual(['1_1.0']);
  expect(await repository.validateSession('2@lid')).toEqual({ exists: true });
  const { get } = store;
  store.get = (type, ids) => (type === 'session' ? Promise.reject(new KeysUnreadable('closed')) : get(type, ids));
  await expect(repository.injectE2ESession({ jid: '1@lid', session })).rejects.toThrow('closed');
  expect(soon).toEqual(['1_1.0']);
  repository.close?.();
});

// Of Baileys 7.0.0-rc14: `loadSignedPreKey` answers with the current key, whichever is asked for, and reads it from the credentials each time.
it('messages written with an earlier signed pre-key are read as long as it is kept', async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const make = DEFAULT_CONNECTION_CONFIG.makeSignalRepository;
  const someone = () => {
    return {
      creds: initAuthCreds(),
      keys: addTransactionCapability(createMemoryKeys(), log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 }),
    };
  };
  const me = someone();
  const first = me.creds.signedPreKey;
  const written = async () => {
    const writer = make(someone(), log, async () => []);
    const { registrationId, signedIdentityKey } = me.creds;
    const signedPreKey = { keyId: first.keyId, publicKey: generateSignalPubKey(first.keyPair.public), signature: first.signature };
    const identityKey = generateSignalPubKey(signedIdentityKey.public);
    await writer.injectE2ESession({ jid: '1@lid', session: { registrationId, identityKey, signedPreKey } });
    return { jid: '2@lid', ...(await writer.encryptMessage({ jid: '1@lid', data: Buffer.from('Hello') })) };
  };
  const [one, other] = [await written(), await written()];
  Object.assign(me.creds, { signedPreKey: signedKeyPair(me.creds.signedIdentityKey, 2) });
  keepSignedPreKeys(me.creds, { earlier: [first] });
  await expect(make(me, log, async () => []).decryptMessage(one)).rejects.toThrow();
  const repository = readWithKeptPreKeys(make)(me, log, () => Promise.reject(new Error('the network was asked')));
  // Whoever watches what the repository looks up sees this message's too.
  repository.lidMapping.getLIDForPN = async () => '3@lid';
  expect(await repository.decryptMessage({ ...other, jid: '4915110000003@s.whatsapp.net' })).toEqual(Buffer.from('Hello'));
  expect(await repository.validateSession('3@lid')).toEqual({ exists: true });
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
  it('is closed soon though the other side is silent, and the end is reported only then', { timeout: 15_000 }, async () => {
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

it("the gateway's own lines keep their level, and say no more than the library's", () => {
  const lines: unknown[] = [];
  const log = createWorkerLog((level, line) => void lines.push({ level, ...line }), 'an instance');
  log.warn({ err: new TypeError('a secret') }, 'one');
  log.error({ err: Object.assign(new Error('a secret'), { code: 'ECUT' }) }, 'two');
  expect(lines).toEqual([
    { level: 'warn', instanceId: 'an instance', message: 'one', error: 'TypeError' },
    { level: 'error', instanceId: 'an instance', message: 'two', error: 'Error ECUT' },
  ]);
});

// Of Baileys 7.0.0-rc14: it checks signatures through its exported object, where serve-links.ts puts a check of the gateway's own.
it("Baileys asks the check that was put in its `Curve`'s place", () => {
  const { verify } = Curve;
  onTestFinished(() => {
    Curve.verify = verify;
  });
  Curve.verify = () => {
    throw new Error('the check was asked');
  };
  const { advSecretKey, signedIdentityKey } = initAuthCreds();
  const key = Buffer.alloc(32);
  const identity = { details: Buffer.alloc(0), accountSignatureKey: key, accountSignature: Buffer.alloc(64) };
  const details = proto.ADVSignedDeviceIdentity.encode(identity).finish();
  const hmac = createHmac('sha256', Buffer.from(advSecretKey, 'base64')).update(details).digest();
  const content = [
    { tag: 'device-identity', attrs: {}, content: proto.ADVSignedDeviceIdentityHMAC.encode({ details, hmac }).finish() },
    { tag: 'device', attrs: { jid: '4915110000001:1@s.whatsapp.net' } },
  ];
  const stanza = { tag: 'iq', attrs: { id: '1' }, content: [{ tag: 'pair-success', attrs: {}, content }] };
  expect(() => configureSuccessfulPairing(stanza, { advSecretKey, signedIdentityKey, signalIdentities: [] })).toThrow(
    'the check was asked',
  );
});

// Of Baileys 7.0.0-rc14: the name under which it stores its list of everybody with a token, which signal-keys.ts leaves out.
it("Baileys' list of everybody with a token is not stored", async () => {
  const written: string[] = [];
  const store = createSignalKeys({
    read: async () => new Map(),
    write: async (records) => void written.push(...[...records].map(([name]) => name)),
  });
  const log = createLibraryLog(() => undefined, 'an instance');
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const index = await buildMergedTcTokenIndexWrite(keys, ['991@lid']);
  await keys.set({ tctoken: { ...index, '991@lid': { token: Buffer.from('a token') } } });
  expect(written).toEqual(['tctoken:991@lid']);
});

// Of Baileys 7.0.0-rc14: it builds the text of every stanza for its log, unless the level of the log says that nobody reads it.
it.each([
  ['trace', 1],
  ['warn', 0],
])('with the log at %s, Baileys builds the text of a stanza %i times', async (level, times) => {
  const texts: unknown[] = [];
  const log = createLibraryLog(() => undefined, 'an instance');
  const logger = { ...log, level, trace: (fields: unknown) => void texts.push(fields), child: () => logger };
  const sock = makeWASocket({
    auth: { creds: initAuthCreds(), keys: { get: async () => ({}), set: async () => undefined } },
    logger,
    waWebSocketUrl: 'ws://127.0.0.1:9/',
  });
  await expect(async () => sock.sendNode({ tag: 'iq', attrs: { id: '1' } })).rejects.toThrow('Connection Closed');
  expect(texts.filter((fields) => JSON.stringify(fields).includes('xml send'))).toHaveLength(times);
  expect(log.level).toBe('warn');
  await sock.end(undefined);
});

// Of Baileys 7.0.0-rc14: a transaction in a transaction joins it, the repository gets all credentials, and the store takes types of any name.
it('what is written while a message is decrypted is stored in one write with what decrypting has changed', async () => {
  const log = createLibraryLog(() => undefined, 'an instance');
  const writes: unknown[] = [];
  const store = { get: async () => ({}), set: async (data: object) => void writes.push(data) };
  const keys = addTransactionCapability(store, log, { maxCommitRetries: 1, delayBetweenTriesMs: 0 });
  const looked: unknown[] = [];
  const padded = (content: proto.IMessage) => writeRandomPadMax16(proto.Message.encode(content).finish());
  const make = lookAtPlaintexts(
    (auth, ...more) => ({
      ...DEFAULT_CONNECTION_CONFIG.makeSignalRepository(auth, ...more),
      decryptMessage: ({ jid, ciphertext }) =>
        keys.transaction(async () => {
          await keys.set({ session: { [jid]: ciphertext } });
          return ciphertext;
        }, jid),
    }),
    async ({ content, isOwn, chat, ciphertext }, within) => {
      looked.push([content.conversation, isOwn, chat, ciphertext]);
      await writeBesideKeys(within, 'waiting-history', 'a piece');
    },
  );
  const creds = { ...initAuthCreds(), me: { id: '4915110000001:3@s.whatsapp.net', lid: '991:3@lid' } };
  const repository = make({ creds, keys }, log, async () => []);
  const mine = padded({ conversation: 'mine' });
  const copy = padded({ deviceSentMessage: { destinationJid: '992@lid', message: { conversation: 'a copy' } } });
  const theirs = padded({ conversation: 'theirs' });
  const malformed = Buffer.from([0xff, 0xff, 1]);
  for (const ciphertext of [mine, copy, malformed]) await repository.decryptMessage({ jid: '991:0@lid', type: 'msg', ciphertext });
  await repository.decryptMessage({ jid: '992@lid', type: 'msg', ciphertext: theirs });
  // Nobody else speaks for the account.
  const forged = padded({ deviceSentMessage: { destinationJid: '993@lid', message: { conversation: 'forged' } } });
  await repository.decryptMessage({ jid: '992@lid', type: 'msg', ciphertext: forged });
  expect(looked).toEqual([
    ['mine', true, null, mine],
    ['a copy', true, '992@lid', copy],
    ['theirs', false, '992@lid', theirs],
    [null, false, '992@lid', forged],
  ]);
  expect(writes).toEqual([
    { session: { '991:0@lid': mine }, 'waiting-history': { all: 'a piece' } },
    { session: { '991:0@lid': copy }, 'waiting-history': { all: 'a piece' } },
    { session: { '991:0@lid': malformed } },
    { session: { '992@lid': theirs }, 'waiting-history': { all: 'a piece' } },
    { session: { '992@lid': forged }, 'waiting-history': { all: 'a piece' } },
  ]);
  repository.close?.();
});
