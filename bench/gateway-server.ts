import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createAccount, createKey, createPlan } from '../src/accounts/index.ts';
import { startApp } from '../src/app/start.ts';
import type { Act } from '../src/audit/index.ts';
import { readConfig } from '../src/config/index.ts';
import { instantNetwork } from './instant-network.ts';

// A gateway with one account, one key and one linked number, on the store and network its parent names. With BENCH_PEER one more server of an
// installation that has them already.
const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'gateway-bench-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const config = readConfig({ ...process.env, PORT: '0', DATA_DIR: directory, LOG_LEVEL: 'warn' });
const instant = process.env.BENCH_NETWORK !== 'sandbox';
const app = await startApp(config, instant ? { networks: () => [instantNetwork()] } : {});

process.send?.(process.env.BENCH_PEER === undefined ? await withNumber() : { address: app.address });
process.on('SIGTERM', () => void app.stop().then(() => process.exit(0)));

/** What to ask of it, once there is a number. */
async function withNumber() {
  const plan = `bench ${process.pid}`;
  const act: Act = { actor: { kind: 'system' }, now: Date.now() };
  await createPlan(app.store, { name: plan, messagesPerMinute: 1_000_000, instanceLimit: 10 }, act);
  const account = await createAccount(app.store, { name: 'bench', plan }, act);
  const { key } = await createKey(app.store, account.id, { label: null }, act);

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(app.address + path, {
      method,
      headers: { apikey: key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = (await response.json()) as { data: { instance_id: string; qrcode: { code: string } | null } };
    if (!response.ok) throw new Error(JSON.stringify(envelope));
    return envelope.data;
  };
  const instance = await call('POST', '/v1/instances', { network: 'sandbox' });
  if (!instant) await call('POST', '/sandbox/scan', { code: instance.qrcode?.code, phone_number: '15550100' });

  return { address: app.address, headers: { apikey: key }, bodies: [{ instance_id: instance.instance_id }] };
}
