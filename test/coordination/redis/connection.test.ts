import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import pino from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createRedisBroadcast } from '../../../src/coordination/redis/broadcast.ts';
import { openRedis, type RedisConnection } from '../../../src/coordination/redis/connection.ts';
import { OperatorError, readRedisUrl } from '../../../src/core/index.ts';
import { openSockets } from '../../support/open-sockets.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { waitFor } from '../../support/wait-for.ts';

const log = pino({ level: 'silent' });
const bounds = { mostBackoffMs: 100 };
/** Where silence is the subject; the connection breaks then also when the machine itself pauses for so long. */
const hasty = { ...bounds, commandMs: 300, silenceMs: 300, heartbeatMs: 50 };

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
});

async function start(...words: string[]): Promise<TestRedis> {
  const server = await startRedis({ words });
  closers.push(() => server.dispose());
  return server;
}

async function open(url: string, within = bounds): Promise<RedisConnection> {
  const connection = await openRedis(url, { log, bounds: within });
  closers.push(() => connection.close());
  return connection;
}
const openHasty = (url: string) => waitFor(() => open(url, hasty));

const changed = (connection: RedisConnection, to: boolean) => waitFor(() => expect(connection.up).toBe(to));

describe('REDIS_URL', () => {
  it.each([
    ['redis://cache', { host: 'cache', port: 6379, tls: false, username: undefined, password: undefined, db: 0, shown: 'cache:6379' }],
    ['rediss://u:p%40ss@cache:6380/3', { host: 'cache', port: 6380, tls: true, username: 'u', password: 'p@ss', db: 3 }],
    ['redis://:secret@[::1]:7000/', { host: '::1', port: 7000, username: undefined, password: 'secret', db: 0, shown: '[::1]:7000' }],
  ])('%s is understood [settings.redis]', (url, meaning) => {
    expect(readRedisUrl(url)).toMatchObject(meaning);
  });

  it('refuses anything else [settings.redis]', async () => {
    await expect(openRedis('/run/redis.sock', { log })).rejects.toThrow(/^REDIS_URL must be /);
  });
});

describe('at the start', () => {
  it('says when nothing listens there, and leaves nothing open', async () => {
    const server = await start();
    await server.stop();
    const before = openSockets();
    const url = server.url.replace('redis://', 'redis://u:secret@');
    const error = await openRedis(url, { log, bounds }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OperatorError);
    expect(String(error)).toMatch(/^OperatorError: Redis at 127\.0\.0\.1:\d+ \(REDIS_URL\) cannot be reached: .*ECONNREFUSED.*$/);
    expect(String(error)).not.toContain('secret');
    await waitFor(() => expect(openSockets()).toBe(before));
  });

  it('says when what listens there does not answer', async () => {
    const server = await start();
    server.halt();
    await expect(openRedis(server.url, { log, bounds: hasty })).rejects.toThrow(/cannot be reached/);
    server.resume();
  });

  it('says that the password is wrong, or missing', async () => {
    const { port } = await start('--requirepass', 'right');
    for (const login of ['', ':wrong@', 'nobody:right@']) {
      await expect(openRedis(`redis://${login}127.0.0.1:${port}`, { log, bounds })).rejects.toThrow(/refuses the user or password/);
    }
    expect((await open(`redis://:right@127.0.0.1:${port}`)).up).toBe(true);
  });

  it('uses the database of the address, and says when there is none', async () => {
    const { url } = await start('--databases', '4', '--user', 'gateway', 'on', '>pass', '~*', '&*', '+@all');
    const { commands } = await open(url.replace('redis://', 'redis://gateway:pass@').concat('/3'));
    expect(await commands.client('INFO')).toMatch(/ db=3 .*user=gateway/s);
    await expect(openRedis(`${url}/4`, { log, bounds })).rejects.toThrow(/has no database 4/);
  });

  it('speaks TLS, with the name of the server, and says when the certificate is not trusted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
    closers.push(async () => rmSync(folder, { recursive: true, force: true }));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const words = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
    execFileSync('openssl', [...words, '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-auth-clients', 'no'];
    const { url, dispose } = await startRedis({ tls: true, words: files });
    closers.push(dispose);
    await expect(openRedis(url, { log, bounds })).rejects.toThrow(/cannot be reached over TLS: .*self-signed/);
    const usual = getCACertificates('default');
    setDefaultCACertificates([readFileSync(cert, 'utf8')]);
    try {
      const { commands } = await open(url);
      expect(await commands.ping()).toBe('PONG');
      // What has several servers behind it goes by the name.
      const pair = { key: readFileSync(key), cert: readFileSync(cert) };
      const named = createServer(pair, (socket) => void socket.on('error', () => undefined).destroy());
      named.listen(0, 'localhost');
      await once(named, 'listening');
      closers.push(async () => void named.close());
      const asked = once(named, 'secureConnection');
      const { port } = named.address() as AddressInfo;
      await expect(openRedis(`rediss://localhost:${port}`, { log, bounds })).rejects.toThrow(/cannot be reached/);
      expect((await asked)[0].servername).toBe('localhost');
    } finally {
      setDefaultCACertificates(usual);
    }
  });
});

describe('afterwards', () => {
  it('a command fails at once while the server is away, and works again when it is back', async () => {
    const server = await start();
    const connection = await open(server.url);
    const states: boolean[] = [];
    connection.onChange((up) => states.push(up));
    await server.stop();
    await changed(connection, false);
    await expect(connection.commands.ping()).rejects.toThrow();
    await server.start();
    await changed(connection, true);
    expect(await connection.commands.ping()).toBe('PONG');
    expect(states).toEqual([false, true]);
  });

  it('a command under way fails when the server is halted; the connection is taken for broken until it answers', async () => {
    const server = await start();
    const connection = await openHasty(server.url);
    await changed(connection, true);
    server.halt();
    await expect(connection.commands.ping()).rejects.toThrow();
    await changed(connection, false);
    server.resume();
    await waitFor(async () => expect(await connection.commands.ping()).toBe('PONG'));
    await changed(connection, true);
  });

  it('a command whose answer is lost fails, and is not sent a second time', async () => {
    const { port } = await start();
    const proxy = await startTcpProxy(port);
    closers.push(() => proxy.close());
    const connection = await openHasty(`redis://127.0.0.1:${proxy.port}`);
    await changed(connection, true);
    proxy.swallowAnswers();
    await expect(connection.commands.incr('counted')).rejects.toThrow();
    await changed(connection, false);
    proxy.mend();
    await waitFor(async () => expect(await connection.commands.get('counted')).toBe('1'));
  });

  it('notices that a connection which only listens is broken', async () => {
    const { port } = await start();
    const proxy = await startTcpProxy(port);
    closers.push(() => proxy.close());
    const connection = await openHasty(`redis://127.0.0.1:${proxy.port}`);
    const received: unknown[] = [];
    const listener = { onMessage: (payload: unknown) => received.push(payload), onGap: () => received.push('gap') };
    await createRedisBroadcast({ connection, prefix: 'test:', log }).subscribe('topic', listener);
    proxy.swallowAnswers();
    await changed(connection, false);
    proxy.mend();
    await waitFor(() => expect(received).toContain('gap'));
    const other = createRedisBroadcast({ connection, prefix: 'test:', log });
    await waitFor(() => {
      other.publish('topic', 'x');
      expect(received).toContain('x');
    });
  });

  it('closes while the server is away, and leaves nothing open', async () => {
    const before = openSockets();
    const server = await start();
    const connection = await open(server.url);
    await server.stop();
    await changed(connection, false);
    await connection.close();
    await waitFor(() => expect(openSockets()).toBe(before));
    await server.start();
    await expect(connection.commands.ping()).rejects.toThrow();
  });
});
