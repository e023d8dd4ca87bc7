import { parseArgs } from 'node:util';
import pino from 'pino';
import { createMemoryRateLimiter } from '../src/coordination/rate-limiter.ts';
import { openRedis } from '../src/coordination/redis/connection.ts';
import { createRedisRateLimiter } from '../src/coordination/redis/rate-limiter.ts';
import { systemClock } from '../src/core/index.ts';
import { startRedis } from '../test/support/redis.ts';
import { line, median } from './table.ts';

// Measures the rate limiter that servers share through Redis: `node bench/redis.ts --help`.

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/redis.ts [--seconds 5]
Takes of the shared rate limiter, so many under way at once; beside them takes of the limiter in memory.
`);
  process.exit(0);
}

const log = pino({ level: 'warn' });
const prefix = 'bench:';

const server = await startRedis();
try {
  const connection = await openRedis(server.url, { log });
  const limiter = createRedisRateLimiter({ connection, prefix, clock: systemClock, log, liveNodes: () => 1 });
  const memory = createMemoryRateLimiter(systemClock);
  line('what', 'at once', 'per second', 'p50 ms', 'p99 ms', 'CPU µs of this process');
  line('---', '---', '---', '---', '---', '---');
  for (const atOnce of [1, 32, 256]) await run('limiter in Redis', atOnce, async (turn) => limiter.take(`key ${turn % 100} messages`, 600));
  for (const atOnce of [1, 256]) await run('limiter in memory', atOnce, async (turn) => memory.take(`key ${turn % 100} messages`, 600));
  limiter.close();
  await connection.close();
} finally {
  await server.dispose();
}

/** Does the thing again and again, so many times at once, and prints how it went. */
async function run(what: string, atOnce: number, once: (turn: number) => Promise<unknown>): Promise<void> {
  const lasting = Number(options.seconds) * 1000;
  const latencies: number[] = [];
  let turn = 0;
  const loop = async (until: number) => {
    while (performance.now() < until) {
      const from = performance.now();
      await once(turn++);
      latencies.push(performance.now() - from);
    }
  };
  const all = (ms: number) => Promise.all(Array.from({ length: atOnce }, () => loop(performance.now() + ms)));
  // Until what runs often is compiled.
  await all(lasting / 5);
  latencies.length = 0;
  const from = performance.now();
  const cpuBefore = process.cpuUsage();
  await all(lasting);
  const cpu = process.cpuUsage(cpuBefore);
  const perSecond = (latencies.length / (performance.now() - from)) * 1000;
  const p99 = latencies.toSorted((a, b) => a - b)[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
  line(
    what,
    String(atOnce),
    perSecond.toFixed(0),
    median(latencies).toFixed(2),
    p99.toFixed(2),
    ((cpu.user + cpu.system) / latencies.length).toFixed(0),
  );
}
