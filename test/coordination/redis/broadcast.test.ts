import { randomUUID } from 'node:crypto';
import { afterEach, expect, inject, it } from 'vitest';
import { createRedisBroadcast } from '../../../src/coordination/redis/broadcast.ts';
import { openRedis } from '../../../src/coordination/redis/connection.ts';
import { createKeptLog } from '../../support/kept-log.ts';
import { startRedis } from '../../support/redis.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { waitFor } from '../../support/wait-for.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
});

const prefix = `${randomUUID()}:`;

/** A server's broadcast, over a way of its own to Redis. */
async function server() {
  const proxy = await startTcpProxy(Number(new URL(inject('redis')).port));
  closers.push(() => proxy.close());
  const kept = createKeptLog();
  const connection = await openRedis(`redis://127.0.0.1:${proxy.port}`, { log: kept.log, bounds: { mostBackoffMs: 100 } });
  closers.push(() => connection.close());
  const broadcast = createRedisBroadcast({ connection, prefix, log: kept.log });
  const received: unknown[] = [];
  const listen = (topic = 'events') =>
    broadcast.subscribe(topic, { onMessage: (payload) => received.push(payload), onGap: () => received.push('gap') });
  return {
    ...{ broadcast, received, kept, listen },
    async cut() {
      proxy.cut();
      await waitFor(() => expect([connection.commands.status, connection.subscriptions.status]).not.toContain('ready'));
    },
    async mend() {
      proxy.mend();
      await waitFor(() => expect(connection.up).toBe(true));
    },
  };
}

it('delivers each message once, in order, to every other server that listens', async () => {
  const [a, b, c] = [await server(), await server(), await server()];
  for (const each of [a, b, c]) await each.listen();
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  for (const number of numbers) a.broadcast.publish('events', number);
  a.broadcast.publish('others', 'of no interest here');
  for (const { received } of [b, c]) await waitFor(() => expect(received).toEqual(numbers));
  expect(a.received).toEqual([]);
});

it('notifies a listener of a gap when its way was cut, and goes on; also one that began to listen meanwhile', async () => {
  const [a, b] = [await server(), await server()];
  await b.cut();
  await b.listen();
  a.broadcast.publish('events', 1);
  await b.mend();
  await waitFor(() => expect(b.received).toEqual(['gap']));
  a.broadcast.publish('events', 2);
  await waitFor(() => expect(b.received).toEqual(['gap', 2]));
});

it("notifies others of a gap when the sender's way was cut, of that topic alone", async () => {
  const [a, b, c] = [await server(), await server(), await server()];
  await b.listen();
  await c.listen('others');
  await a.cut();
  a.broadcast.publish('events', 1);
  await a.mend();
  a.broadcast.publish('events', 2);
  await waitFor(() => expect(b.received).toContain('gap'));
  await waitFor(() => expect(b.received).toContain(2));
  expect(b.received).not.toContain(1);
  expect(c.received).toEqual([]);
});

it('reports a listener that throws, and goes on', async () => {
  const [a, b] = [await server(), await server()];
  await b.broadcast.subscribe('events', {
    onMessage(payload) {
      if (payload === 1) throw new Error('a mistake of the listener');
      b.received.push(payload);
    },
    onGap: () => undefined,
  });
  a.broadcast.publish('events', 1);
  a.broadcast.publish('events', 2);
  await waitFor(() => expect(b.received).toEqual([2]));
  expect(b.kept.lines).toContainEqual(expect.objectContaining({ msg: 'a message of another server could not be used' }));
});

it('says that the user of the address may use no channel, and keeps its connection when that right is taken away later', async () => {
  const redis = await startRedis({ words: ['--user', 'gateway', 'on', '>pass', '~*', 'resetchannels', '+@all'] });
  closers.push(() => redis.dispose());
  const { log, lines } = createKeptLog();
  const open = async (login: string) => {
    const connection = await openRedis(redis.url.replace('redis://', `redis://${login}`), { log, bounds: { mostBackoffMs: 100 } });
    closers.push(() => connection.close());
    return connection;
  };
  const [connection, owner] = [await open('gateway:pass@'), await open('')];
  const broadcast = createRedisBroadcast({ connection, prefix: 'gateway:one:', log });
  const subscribe = () => broadcast.subscribe('events', { onMessage: () => undefined, onGap: () => undefined });
  await expect(subscribe()).rejects.toThrow(
    /^the user in REDIS_URL may not subscribe to channels \(NOPERM .+ACL SETUSER <user> &gateway:\*$/,
  );
  await owner.commands.call('ACL', 'SETUSER', 'gateway', '&gateway:*');
  await subscribe();
  // Ends the connection of whoever listens.
  await owner.commands.call('ACL', 'SETUSER', 'gateway', 'resetchannels');
  await waitFor(() => expect(lines).toContainEqual(expect.objectContaining({ msg: 'Redis channels could not be subscribed to' })));
  expect(await connection.subscriptions.ping()).toBe('PONG');
});
