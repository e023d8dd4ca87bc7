import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import type { SharedRateLimiter } from '../../../src/coordination/index.ts';
import { openRedis, type RedisConnection } from '../../../src/coordination/redis/connection.ts';
import { createRedisRateLimiter } from '../../../src/coordination/redis/rate-limiter.ts';
import { describeRateLimiter } from '../../support/coordination/rate-limiter-suite.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startRedis, type TestRedis } from '../../support/redis.ts';
import { waitFor } from '../../support/wait-for.ts';

const windowMs = 60_000;
const log = pino({ level: 'silent' });

let connection: RedisConnection;
beforeAll(async () => {
  connection = await openRedis(inject('redis'), { log });
});
afterAll(() => connection.close());

const limiters: SharedRateLimiter[] = [];
afterEach(() => {
  for (const limiter of limiters.splice(0)) limiter.close();
});

/** By a clock that stands still, so that a slow machine is not taken for a slow server. */
function createLimiter(given: Partial<Parameters<typeof createRedisRateLimiter>[0]> = {}) {
  const options = { connection, prefix: `${randomUUID()}:`, clock: createManualClock(), log, liveNodes: () => 1, ...given };
  const limiter = createRedisRateLimiter(options);
  limiters.push(limiter);
  return limiter;
}

describeRateLimiter('in Redis', (clock) => createLimiter({ serverTime: () => clock.now() }));

describe('in Redis', () => {
  it('is one limit for all nodes [limits.shared]', async () => {
    const prefix = `${randomUUID()}:`;
    const nodes = [createLimiter({ prefix }), createLimiter({ prefix }), createLimiter({ prefix })];
    const decisions = await Promise.all(Array.from({ length: 60 }, (_, place) => nodes[place % 3]?.take('name', 25)));
    expect(decisions.filter((decision) => decision?.admitted)).toHaveLength(25);
    expect(await createLimiter().take('name', 25)).toMatchObject({ admitted: true, remaining: 24 });
  });

  it('goes by the clock of the server', async () => {
    const clock = createManualClock(0);
    const limiter = createLimiter({ clock });
    expect(await limiter.take('name', 1)).toEqual({ admitted: true, remaining: 0, resetSeconds: 60 });
    clock.advance(windowMs * 2);
    expect(await limiter.take('name', 1)).toMatchObject({ admitted: false, remaining: 0 });
  });

  it.each([-3_600_000, 3_600_000])('holds nobody back for more than a minute when that clock is set by %i ms', async (ms) => {
    let time = Date.now();
    const limiter = createLimiter({ serverTime: () => time });
    for (let count = 0; count < 3; count++) await limiter.take('name', 3);
    time += ms;
    const { admitted, resetSeconds } = await limiter.take('name', 3);
    expect({ admitted, resetSeconds }).toEqual({ admitted: ms > 0, resetSeconds: 60 });
    time += windowMs;
    expect(await limiter.take('name', 3)).toMatchObject({ admitted: true, remaining: 2 });
  });

  it('keeps no name, and nothing for longer than a minute', async () => {
    const prefix = `${randomUUID()}:`;
    await createLimiter({ prefix }).take('mails of somebody@example.com', 5);
    const keys = await connection.commands.keys(`${prefix}*`);
    expect(keys).toEqual([expect.stringMatching(/:\{rate\}:[\w-]{22}$/)]);
    const left = await connection.commands.pttl(keys[0] ?? '');
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(windowMs);
  });

  it('counts several names at once on a server in cluster mode', async () => {
    const server = await startRedis({ words: ['--cluster-enabled', 'yes'] });
    const own = await openRedis(server.url, { log });
    try {
      await own.commands.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
      await waitFor(async () => expect(await own.commands.call('CLUSTER', 'INFO')).toContain('cluster_state:ok'));
      const limiter = createLimiter({ connection: own });
      const decisions = await Promise.all(['one', 'another', 'a third'].map((name) => limiter.take(name, 5)));
      expect([decisions.map(({ remaining }) => remaining), limiter.fallenBack]).toEqual([[4, 4, 4], false]);
    } finally {
      await own.close();
      await server.dispose();
    }
  });

  it('goes on when the server has forgotten the script', async () => {
    const limiter = createLimiter();
    await limiter.take('name', 5);
    await connection.commands.script('FLUSH');
    expect(await limiter.take('name', 5)).toMatchObject({ admitted: true, remaining: 3 });
    expect(limiter.fallenBack).toBe(false);
  });
});

describe('without Redis', () => {
  let server: TestRedis;
  let own: RedisConnection;
  beforeAll(async () => {
    server = await startRedis();
    own = await openRedis(server.url, { log, bounds: { mostBackoffMs: 100 } });
  });
  afterAll(async () => {
    await own.close();
    await server.dispose();
  });

  /** Resolves when the limiter has changed over to this. */
  const changed = (limiter: SharedRateLimiter, to: boolean) =>
    new Promise<void>((resolve) => {
      limiter.onChange((fallenBack) => fallenBack === to && resolve());
    });

  it('every node has its share, decided at once, until the server is back', async () => {
    const limiter = createLimiter({ connection: own, liveNodes: () => 3 });
    expect(await limiter.take('name', 30)).toMatchObject({ admitted: true, remaining: 29 });

    const away = changed(limiter, true);
    await server.stop();
    await away;
    expect(limiter.fallenBack).toBe(true);
    for (let count = 9; count >= 0; count--) expect(limiter.take('name', 30)).toMatchObject({ admitted: true, remaining: count });
    expect(limiter.take('name', 30)).toMatchObject({ admitted: false, remaining: 0 });
    expect(limiter.take('small', 2)).toMatchObject({ admitted: true, remaining: 0 });

    const back = changed(limiter, false);
    await server.start();
    await back;
    expect(await limiter.take('name', 30)).toMatchObject({ admitted: true, remaining: 29 });
  });

  it('a server that does not answer is waited for only as long as bounded, and not again until it answers', async () => {
    await waitFor(() => expect(own.up).toBe(true));
    const clock = createManualClock();
    const limiter = createLimiter({ connection: own, clock, liveNodes: () => 0 });
    const away = changed(limiter, true);
    const back = changed(limiter, false);
    server.halt();
    try {
      const asked = Promise.all([limiter.take('name', 10), limiter.take('other', 10)]);
      await waitFor(() => expect(clock.pendingOf(250)).toBe(1));
      clock.advance(250);
      const decisions = await asked;
      expect(decisions.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
        [true, 9],
        [true, 9],
      ]);
      await away;
      expect(limiter.take('name', 10)).toMatchObject({ admitted: true, remaining: 8 });
    } finally {
      server.resume();
    }
    // A slow server fails one probe or more.
    await waitFor(() => {
      clock.advance(1000);
      expect(limiter.fallenBack).toBe(false);
    });
    await back;
    expect(await limiter.take('third', 10)).toMatchObject({ admitted: true, remaining: 9 });
  });

  it('a server that answers and writes nothing is not taken for one that counts', async () => {
    await waitFor(() => expect(own.up).toBe(true));
    const clock = createManualClock();
    const lines: string[] = [];
    const debug = pino({ level: 'debug' }, { write: (line) => void lines.push(line) });
    const limiter = createLimiter({ connection: own, clock, log: debug });
    await own.commands.replicaof('127.0.0.1', 1);
    try {
      expect(await limiter.take('name', 10)).toMatchObject({ admitted: true, remaining: 9 });
      expect(limiter.fallenBack).toBe(true);
      clock.advance(1000);
      await waitFor(() => expect(lines.join('')).toContain('Redis does not answer in time yet'));
      expect(limiter.fallenBack).toBe(true);
    } finally {
      await own.commands.replicaof('NO', 'ONE');
    }
    const back = changed(limiter, false);
    clock.advance(1000);
    await back;
  });

  it('what is asked while the connection breaks is decided all the same', async () => {
    const limiter = createLimiter({ connection: own });
    const asked = Array.from({ length: 300 }, () => limiter.take('name', 1000));
    own.commands.stream.destroy();
    const decisions = await Promise.all(asked);
    expect(decisions.every(({ admitted }) => admitted)).toBe(true);
  });
});
