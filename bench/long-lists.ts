import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createAccount, createKey, createPlan } from '../src/accounts/index.ts';
import { startApp } from '../src/app/start.ts';
import type { Act } from '../src/audit/index.ts';
import { readConfig } from '../src/config/index.ts';
import { newId } from '../src/core/index.ts';
import { line, median } from './table.ts';
import { type GatewayProcess, startGateway } from './whatsapp-gateway.ts';
import { load } from './whatsapp-sends.ts';

// What one account's long lists cost another's sends: `node bench/long-lists.ts [--numbers 5000] [--clients 8] [--rounds 3] [--seconds 10]`.
// Sends go to the sandbox, one at a time. The compiled program is measured, so `npm run build` first.

const { values: options } = parseArgs({
  options: {
    numbers: { type: 'string', default: '5000' },
    clients: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
});
const seconds = Number(options.seconds);
/** Lists are limited to 120 a minute for each key. */
const keyCount = 200;

const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'gateway-bench-'));
const settings = { PATH: process.env.PATH, DATA_DIR: directory, PORT: '0', NETWORKS: 'sandbox', LOG_LEVEL: 'warn', NODE_NO_WARNINGS: '1' };
const { keys, sender, instance } = await fill();
let gateway: GatewayProcess | null = null;
try {
  gateway = await startGateway({ settings, headers: () => ({ apikey: sender }), nodes: async () => [], remove: () => undefined });
  const bodies = [{ instance_id: instance }];
  const rows = new Map<string, { p50: number; p99: number; lists: number; failures: number }[]>();
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const clients of [0, Number(options.clients)]) {
      const lists = listing(gateway.address, clients);
      const { p50, p99, failures } = await load(gateway, { bodies, keyed: false, connections: 1, seconds });
      const row = { p50, p99, failures, lists: (await lists.stop()) / seconds };
      const name = clients === 0 ? 'alone' : `${clients} clients ask for ${options.numbers} numbers`;
      // The first round warms up.
      if (round > 0) rows.set(name, [...(rows.get(name) ?? []), row]);
    }
  }
  line('one send at a time', 'p50 ms', 'p99 ms', 'lists/s', 'failures');
  line('---', ...Array.from({ length: 4 }, () => '--:'));
  for (const [name, measured] of rows) {
    const of = (pick: (row: (typeof measured)[number]) => number) => median(measured.map(pick)).toFixed(0);
    line(
      name,
      of((row) => row.p50),
      of((row) => row.p99),
      of((row) => row.lists),
      of((row) => row.failures),
    );
  }
} finally {
  await gateway?.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** Makes the account with the many numbers, and one that sends from a linked number. */
async function fill(): Promise<{ keys: string[]; sender: string; instance: string }> {
  const app = await startApp(readConfig(settings));
  try {
    const act: Act = { actor: { kind: 'system' }, now: Date.now() };
    await createPlan(app.store, { name: 'bench', messagesPerMinute: 1_000_000, instanceLimit: 10_000 }, act);
    const [lister, other] = [
      await createAccount(app.store, { name: 'lists', plan: 'bench' }, act),
      await createAccount(app.store, { name: 'sends', plan: 'bench' }, act),
    ];
    const made: string[] = [];
    for (let count = 0; count < keyCount; count++) made.push((await createKey(app.store, lister.id, { label: null }, act)).key);
    const { key } = await createKey(app.store, other.id, { label: null }, act);
    for (let count = 0; count < Number(options.numbers); count++) {
      const row = { id: newId(), account_id: lister.id, network: 'sandbox', label: `Number ${count}`, linked: 0, conflict: 0 };
      await app.store.db
        .insertInto('instances')
        .values({ ...row, created_at: Date.now() })
        .execute();
    }
    const call = async (path: string, body: object) => {
      const headers = { apikey: key, 'content-type': 'application/json' };
      const response = await fetch(app.address + path, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!response.ok) throw new Error(await response.text());
      return (await response.json()) as { data: { instance_id: string; qrcode: { code: string } | null } };
    };
    const { data } = await call('/v1/instances', { network: 'sandbox' });
    await call('/sandbox/scan', { code: data.qrcode?.code, phone_number: '15550100' });
    return { keys: made, sender: key, instance: data.instance_id };
  } finally {
    await app.stop();
  }
}

/** So many clients that ask for the list again as soon as they have it. `stop` gives how many lists they got. */
function listing(address: string, clients: number): { stop(): Promise<number> } {
  let stopped = false;
  let got = 0;
  let turn = 0;
  const ask = async (): Promise<void> => {
    while (!stopped) {
      const response = await fetch(`${address}/v1/instances`, { headers: { apikey: keys[turn++ % keys.length] ?? '' } });
      if (!response.ok) throw new Error(await response.text());
      await response.arrayBuffer();
      got++;
    }
  };
  const all = Promise.all(Array.from({ length: clients }, ask));
  all.catch(() => undefined);
  return {
    async stop() {
      stopped = true;
      await all;
      return got;
    },
  };
}
