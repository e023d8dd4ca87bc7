import { randomUUID } from 'node:crypto';
import { afterEach, expect, inject, it } from 'vitest';
import { createRedisBroadcast } from '../../../src/coordination/redis/broadcast.ts';
import { openRedis } from '../../../src/coordination/redis/connection.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { createToldLog } from '../../support/told-log.ts';
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
  const told = createToldLog();
  const connection = await openRedis(`redis://127.0.0.1:${proxy.port}`, { log: told.log, bounds: { mostBackoffMs: 100 } });
  closers.push(() => connection.close());
  const broadcast = createRedisBroadcast({ connection, prefix, log: told.log });
  const heard: unknown[] = [];
  const listen = (topic = 'events') =>
    broadcast.subscribe(topic, { onMessage: (payload) => heard.push(payload), onGap: () => heard.push('gap') });
  return {
    ...{ broadcast, heard, told, listen },
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

it('tells every other server once, in order, of what it listens to', async () => {
  const [a, b, c] = [await server(), await server(), await server()];
  for (const each of [a, b, c]) await each.listen();
  const numbers = Array.from({ length: 100 }, (_, number) => number);
  for (const number of numbers) a.broadcast.publish('events', number);
  a.broadcast.publish('others', 'of no interest here');
  for (const { heard } of [b, c]) await waitFor(() => expect(heard).toEqual(numbers));
  expect(a.heard).toEqual([]);
});

it('tells a listener of a gap when its way was cut, and goes on; also one that began to listen meanwhile', async () => {
  const [a, b] = [await server(), await server()];
  await b.cut();
  await b.listen();
  a.broadcast.publish('events', 1);
  await b.mend();
  await waitFor(() => expect(b.heard).toEqual(['gap']));
  a.broadcast.publish('events', 2);
  await waitFor(() => expect(b.heard).toEqual(['gap', 2]));
});

it("tells others of a gap when the teller's way was cut, of that topic alone", async () => {
  const [a, b, c] = [await server(), await server(), await server()];
  await b.listen();
  await c.listen('others');
  await a.cut();
  a.broadcast.publish('events', 1);
  await a.mend();
  a.broadcast.publish('events', 2);
  await waitFor(() => expect(b.heard).toContain('gap'));
  await waitFor(() => expect(b.heard).toContain(2));
  expect(b.heard).not.toContain(1);
  expect(c.heard).toEqual([]);
});

it('reports a listener that throws, and goes on', async () => {
  const [a, b] = [await server(), await server()];
  await b.broadcast.subscribe('events', {
    onMessage(payload) {
      if (payload === 1) throw new Error('a mistake of the listener');
      b.heard.push(payload);
    },
    onGap: () => undefined,
  });
  a.broadcast.publish('events', 1);
  a.broadcast.publish('events', 2);
  await waitFor(() => expect(b.heard).toEqual([2]));
  expect(b.told.lines).toContainEqual(expect.objectContaining({ msg: 'what another server told could not be used' }));
});
