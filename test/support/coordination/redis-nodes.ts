import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { expect, inject } from 'vitest';
import { openRedis } from '../../../src/coordination/redis/connection.ts';
import { createRedisWire } from '../../../src/coordination/redis/wire.ts';
import { startTcpProxy } from '../tcp-proxy.ts';
import { waitFor } from '../wait-for.ts';
import { type TestNodes, whenWire } from './nodes.ts';

/** Each node reaches Redis over a way of its own, which can be cut. */
export async function redisNodes(): Promise<TestNodes> {
  const log = pino({ level: 'silent' });
  const prefix = `${randomUUID()}:`;
  const closers: (() => Promise<void>)[] = [];
  return {
    async attach() {
      const proxy = await startTcpProxy(Number(new URL(inject('redis')).port));
      closers.push(() => proxy.close());
      const connection = await openRedis(`redis://127.0.0.1:${proxy.port}`, { log, bounds: { mostBackoffMs: 100 } });
      closers.push(() => connection.close());
      const wire = createRedisWire({ connection, prefix, log });
      return {
        wire,
        async cut() {
          proxy.cut();
          await whenWire(wire, false);
          await waitFor(() => expect(connection.commands.status).not.toBe('ready'));
        },
        async mend() {
          proxy.mend();
          await whenWire(wire, true);
        },
      };
    },
    async dispose() {
      for (let close = closers.pop(); close !== undefined; close = closers.pop()) await close();
    },
  };
}
