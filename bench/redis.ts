import { parseArgs } from 'node:util';
import pino from 'pino';
import { z } from 'zod';
import { handler, type Method, openCalls } from '../src/coordination/index.ts';
import { createMemoryRateLimiter } from '../src/coordination/memory/rate-limiter.ts';
import { openRedis } from '../src/coordination/redis/connection.ts';
import { createRedisRateLimiter } from '../src/coordination/redis/rate-limiter.ts';
import { createRedisWire } from '../src/coordination/redis/wire.ts';
import { newId, systemClock } from '../src/core/index.ts';
import { startRedis } from '../test/support/redis.ts';
import { end, nextMessage, runFile } from './processes.ts';
import { line, median } from './table.ts';

// Measures what nodes do with each other through Redis: `node bench/redis.ts --help`.

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    callee: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (options.help) {
  process.stdout.write(`node bench/redis.ts [--seconds 5]
Calls from this process to another one through Redis, with payloads of the size of a send, and takes of the shared rate limiter, so many
under way at once; beside them takes of the limiter in memory.
`);
  process.exit(0);
}

const log = pino({ level: 'warn' });
const prefix = 'bench:';
const fields = z.object({ instance_id: z.string(), to: z.string(), text: z.string() });
const send: Method<z.infer<typeof fields>, { message_id: string }> = {
  name: 'send',
  payload: fields,
  answer: z.object({ message_id: z.string() }),
};

if (options.callee === undefined) await measure();
else await answer(options.callee);

async function answer(url: string): Promise<void> {
  const connection = await openRedis(url, { log });
  const calls = await openCalls({ wire: createRedisWire({ connection, prefix, log }), clock: systemClock, log });
  await calls.serve('callee', [handler(send, async () => ({ message_id: newId() }))]);
  process.send?.('ready');
}

async function measure(): Promise<void> {
  const server = await startRedis();
  const callee = runFile('redis.ts', { args: ['--callee', server.url] });
  try {
    await nextMessage(callee);
    const connection = await openRedis(server.url, { log });
    const calls = await openCalls({ wire: createRedisWire({ connection, prefix, log }), clock: systemClock, log });
    const limiter = createRedisRateLimiter({ connection, prefix, clock: systemClock, log, liveNodes: () => 1 });
    const memory = createMemoryRateLimiter(systemClock);
    const payload = { instance_id: newId(), to: '4915112345678', text: 'x'.repeat(200) };

    line('what', 'at once', 'per second', 'p50 ms', 'p99 ms', 'CPU µs of this process');
    line('---', '---', '---', '---', '---', '---');
    for (const atOnce of [1, 32, 256]) {
      await run('call to another process', atOnce, () => calls.call('callee', send, payload, { deadlineMs: 10_000 }));
    }
    for (const atOnce of [1, 32, 256])
      await run('limiter in Redis', atOnce, async (turn) => limiter.take(`key ${turn % 100} messages`, 600));
    for (const atOnce of [1, 256]) await run('limiter in memory', atOnce, async (turn) => memory.take(`key ${turn % 100} messages`, 600));
    limiter.close();
    await calls.close();
    await connection.close();
  } finally {
    await end(callee, 'SIGKILL');
    await server.dispose();
  }
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
