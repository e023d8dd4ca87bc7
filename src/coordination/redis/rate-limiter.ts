import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Clock, Timer } from '../../core/index.ts';
import { createMemoryRateLimiter, type RateDecision, type SharedRateLimiter, windowMs } from '../rate-limiter.ts';
import type { RedisConnection } from './connection.ts';
import { takeScript } from './take-script.ts';

/** Requests that one script counts; others of the same turn go in a further one, so that other commands get their turn in between. */
const mostAtOnce = 200;
/** A request waits no longer than this for Redis' decision. */
const slowMs = 250;
/** While it has fallen back, the limiter asks this often whether Redis counts again. */
const probeMs = 1000;
/** What it asks then: a request that is always admitted, and so written. A replica would answer questions, but counts nothing. */
const probeRequest = { name: 'probe', limit: 1_000_000 };

interface Options {
  readonly connection: RedisConnection;
  /** Before every key: keeps installations apart that share a database. */
  readonly prefix: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** How many nodes share the limits while Redis is down. */
  readonly liveNodes: () => number;
  /** Milliseconds, instead of the server's own clock. */
  readonly serverTime?: () => number;
}

interface Asked {
  readonly name: string;
  readonly limit: number;
  readonly resolve: (decision: RateDecision) => void;
}

const scriptAnswer = z.array(z.number());
const scriptHash = hash('sha1', takeScript);

/**
 * A sliding log for each name in Redis, by the server's clock. The requests of one turn of the event loop are counted by one script. When Redis
 * is down or slow, or writes nothing, every node counts in its own memory, from zero, with the limit divided by the number of live nodes.
 */
export function createRedisRateLimiter({ connection, prefix, clock, log, liveNodes, serverTime }: Options): SharedRateLimiter {
  const { commands } = connection;
  const own = createMemoryRateLimiter(clock);
  const listeners: ((fallenBack: boolean) => void)[] = [];
  let waiting: Asked[] = [];
  let fallenBack = !connection.up;
  let probeTimer: Timer | null = null;
  let closed = false;

  const takeAlone = (name: string, limit: number) => own.take(name, Math.max(1, Math.floor(limit / Math.max(1, liveNodes()))));

  async function run(asked: readonly Omit<Asked, 'resolve'>[]): Promise<number[]> {
    const keys = asked.map(({ name }) => keyOf(prefix, name));
    const values = [windowMs, serverTime?.() ?? '', ...asked.map(({ limit }) => limit)];
    const answer = commands.evalsha(scriptHash, keys.length, ...keys, ...values).catch((error: unknown) => {
      // The server was restarted, or its scripts were flushed.
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return commands.eval(takeScript, keys.length, ...keys, ...values);
      throw error;
    });
    return scriptAnswer.parse(await inTime(clock, answer));
  }

  async function decide(asked: readonly Asked[]): Promise<void> {
    try {
      const answer = await run(asked);
      for (const [place, { resolve }] of asked.entries()) {
        const [admitted, remaining, resetSeconds] = answer.slice(place * 3, place * 3 + 3);
        if (admitted === undefined || remaining === undefined || resetSeconds === undefined)
          throw new Error('the script returned too few values');
        resolve({ admitted: admitted === 1, remaining, resetSeconds });
      }
    } catch (error) {
      fallBack(error);
      for (const { name, limit, resolve } of asked) resolve(takeAlone(name, limit));
    }
  }

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += mostAtOnce) void decide(all.slice(from, from + mostAtOnce));
  }

  function fallBack(error: unknown): void {
    if (fallenBack || closed) return;
    fallenBack = true;
    log.warn({ err: error }, 'Redis does not answer in time; every node counts requests on its own');
    for (const listener of listeners) listener(true);
    probeLater();
  }

  function probeLater(): void {
    probeTimer?.cancel();
    probeTimer = clock.after(probeMs, () => void probe());
  }

  async function probe(): Promise<void> {
    if (!fallenBack || closed) return;
    try {
      if (connection.up) {
        await run([probeRequest]);
        comeBack();
        return;
      }
    } catch (error) {
      log.debug({ err: error }, 'Redis does not answer in time yet');
    }
    probeLater();
  }

  function comeBack(): void {
    if (!fallenBack || closed) return;
    fallenBack = false;
    probeTimer?.cancel();
    log.info('requests are counted in Redis again');
    for (const listener of listeners) listener(false);
  }

  connection.onChange((up) => {
    if (up) void probe();
    else fallBack(new Error('the connection is gone'));
  });
  if (fallenBack) probeLater();

  return {
    get fallenBack() {
      return fallenBack;
    },
    onChange: (listener) => void listeners.push(listener),
    take(name, limit) {
      if (fallenBack || closed) return takeAlone(name, limit);
      return new Promise((resolve) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ name, limit, resolve });
      });
    },
    close() {
      closed = true;
      probeTimer?.cancel();
    },
  };
}

/** Names may hold addresses of people, of any length; keys do not. In braces is what must be alike in all keys of a script in cluster mode. */
function keyOf(prefix: string, name: string): string {
  return `${prefix}{rate}:${hash('sha256', name, 'base64url').slice(0, 22)}`;
}

/** Rejects when the answer takes too long. An answer that is already in the socket counts, however late this process gets to read it. */
function inTime<T>(clock: Clock, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(slowMs, () => setImmediate(() => reject(new Error(`no answer within ${slowMs} ms`))));
    answer.then(resolve, reject).finally(() => timer.cancel());
  });
}
