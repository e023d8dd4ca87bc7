// A gateway in a process of its own that sends and is refused many times and says how much its heap holds after each round.

import { startApp } from '../../src/app/start.ts';
import { readConfig } from '../../src/config/index.ts';
import { createSenders, linkNumbers } from './customers.ts';
import { createLoadClient, workOff } from './load-client.ts';

const perRound = Number(process.argv[2]);
const rounds = 4;

/** Bytes the heap holds when everything that can go has gone. */
function held(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  for (let round = 0; round < 4; round++) globalThis.gc();
  return process.memoryUsage().heapUsed;
}

const app = await startApp(
  readConfig({ DATA_DIR: process.env.DATA_DIR, PORT: '0', NETWORKS: 'sandbox', DATABASE_DURABILITY: 'normal', LOG_LEVEL: 'silent' }),
);
const accounts = await createSenders(app.store, 2);
const client = createLoadClient(app.address);
const senders = await linkNumbers(client, accounts);
const heap: number[] = [];
let accepted = 0;
let refused = 0;

for (let round = 0; round < rounds; round++) {
  await workOff(Array.from({ length: perRound }).keys(), 32, async (n) => {
    const sender = senders[n % senders.length];
    if (sender === undefined) throw new Error('no sender');
    const body = { instance_id: sender.instanceId, to: '491701230100', text: 'x'.repeat(200) };
    const headers = { 'idempotency-key': `memory-${round}-${n}` };
    const sent = await client.call({ path: '/v1/messages/text', key: sender.key, body, ...(n % 2 === 0 ? { headers } : {}) });
    if (sent.status === 200) accepted++;
    const bad = [
      { path: '/v1/messages/text', key: sender.key, body: { ...body, text: '' }, headers },
      {
        path: '/v1/messages/text',
        key: sender.key,
        body: { ...body, to: '491701230000' },
        headers: { 'idempotency-key': `refused-${round}-${n}` },
      },
      { path: '/v1/messages/text', key: `mgw_unknown_${round}_${n}`, body },
      { path: `/v1/nothing/${round}/${n}`, key: sender.key, body },
    ][n % 4];
    if (bad !== undefined && (await client.call(bad)).status >= 400) refused++;
    return undefined;
  });
  heap.push(held());
}
await client.close();
await app.stop();
process.stdout.write(`${JSON.stringify({ heap, accepted, refused })}\n`);
