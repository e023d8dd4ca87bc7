import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { end } from './processes.ts';
import type { NetworkProcess } from './whatsapp-network.ts';

/** `BENCH_PROGRAM` names another build, to measure two beside each other. */
const program = process.env.BENCH_PROGRAM ?? join(import.meta.dirname, '..', 'dist', 'main.js');
/** As `npm start` and the installed command start it. */
const shippedOptions = ['--max-semi-space-size=8'];
const shippedEnv = { MALLOC_ARENA_MAX: '1' };

/** A gateway as it ships, in a process of its own, with one account. */
export interface GatewayProcess {
  readonly pid: number;
  readonly address: string;
  /** The next of the account's keys. */
  headers(): Headers;
  /** When the process was started; epoch milliseconds. */
  readonly startedAt: number;
  instances(): Promise<InstanceView[]>;
  stop(): Promise<void>;
}

type Headers = Readonly<Record<string, string>>;

export interface InstanceView {
  readonly instance_id: string;
  readonly status: string;
}

interface LinkView {
  readonly instance_id: string;
  readonly qrcode: { readonly code: string } | null;
}

/** A data folder with its account, used by one gateway after another. */
export interface GatewayData {
  readonly settings: NodeJS.ProcessEnv;
  /** The next of the account's keys: lists and new instances are limited to 120 a minute for each. */
  headers(): Headers;
  /** The running servers, where several share a database, and how many numbers each connects. */
  nodes(): Promise<readonly { readonly numbers: number }[]>;
  remove(): void;
}

/** How long numbers that were scanned may take to be open, in milliseconds. */
const openingMs = 60_000;

/** Makes a folder with an account that may do everything as fast as it can, and so many keys for it. `more` are further settings. */
export async function makeData(
  network: NetworkProcess,
  keyCount: number,
  more: Readonly<Record<string, string>> = {},
): Promise<GatewayData> {
  const directory = mkdtempSync(join(process.env.BENCH_DIR ?? '/tmp', 'whatsapp-bench-'));
  const settings = {
    ...{ PATH: process.env.PATH, DATA_DIR: directory, PORT: '0', NETWORKS: 'whatsapp', LOG_LEVEL: 'warn', NODE_NO_WARNINGS: '1' },
    ...(process.env.WHATSAPP_WORKERS === undefined ? {} : { WHATSAPP_WORKERS: process.env.WHATSAPP_WORKERS }),
    ...(process.env.RETRY_KEEP_HOURS === undefined ? {} : { RETRY_KEEP_HOURS: process.env.RETRY_KEEP_HOURS }),
    ...network.settings,
    ...more,
  };
  const command = async <Answer>(...words: string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, '--json'], { env: settings });
    return JSON.parse(stdout) as Answer;
  };
  // The account first: its command makes the database.
  const { account_id } = await command<{ account_id: string }>('account', 'create', '--name', 'bench');
  await command('plan', 'create', '--name', 'bench', '--messages-per-minute', '1000000', '--instance-limit', '10000');
  await command('account', 'update', account_id, '--plan', 'bench');
  const keys: string[] = [];
  for (let made = 0; made < keyCount; made++) keys.push((await command<{ key: string }>('key', 'create', '--account', account_id)).key);
  let used = 0;
  return {
    settings,
    headers: () => ({ apikey: keys[used++ % keys.length] ?? '' }),
    nodes: () => command('node', 'list'),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Starts a gateway on the folder; resolves when it answers. `nodeOptions` go to Node, for profiles. */
export async function startGateway({ settings, headers }: GatewayData, nodeOptions: readonly string[] = []): Promise<GatewayProcess> {
  const startedAt = Date.now();
  const child = spawn(process.execPath, [...shippedOptions, ...nodeOptions, program, 'serve'], {
    env: { ...shippedEnv, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await addressOf(child);
  return {
    pid: child.pid ?? 0,
    address,
    headers,
    startedAt,
    async instances() {
      const response = await fetch(`${address}/v1/instances`, { headers: headers() });
      const { data } = (await response.json()) as { data: { instances: InstanceView[] } };
      return data.instances;
    },
    stop: () => end(child, 'SIGTERM'),
  };
}

/** Resolves when all its numbers are open; rejects when that takes too long. */
export async function allOpen(gateway: GatewayProcess): Promise<void> {
  const until = Date.now() + openingMs;
  while (!(await gateway.instances()).every(({ status }) => status === 'open')) {
    if (Date.now() > until) throw new Error('not every number that was linked is open');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Links these numbers, some at a time, and gives their instances in the same order. */
export async function link(gateway: GatewayProcess, network: NetworkProcess, numbers: readonly string[]): Promise<string[]> {
  const instances: string[] = [];
  const waiting = [...numbers.entries()];
  const linkNext = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, number] = next;
      instances[place] = await linkOne(gateway, network, number);
    }
  };
  await Promise.all(Array.from({ length: 4 }, linkNext));
  await allOpen(gateway);
  return instances;
}

async function linkOne({ address, headers }: GatewayProcess, network: NetworkProcess, number: string): Promise<string> {
  const call = async (method: string, path: string) => {
    const body = method === 'POST' ? { body: '{}' } : {};
    const response = await fetch(address + path, { method, headers: { ...headers(), 'content-type': 'application/json' }, ...body });
    const envelope = (await response.json()) as { data: LinkView; error?: { code: string } };
    // On a busy machine the first code may take longer than a request waits for it.
    if (envelope.error?.code === 'qr_unavailable') return null;
    if (!response.ok) throw new Error(JSON.stringify(envelope));
    return envelope.data;
  };
  const made = await call('POST', '/v1/instances');
  if (made === null) throw new Error('an instance was not made');
  const { instance_id, qrcode } = made;
  let code = qrcode?.code;
  for (let more = 0; code === undefined && more < 5; more++) code = (await call('GET', `/v1/instances/${instance_id}/qr`))?.qrcode?.code;
  if (code === undefined) throw new Error('an instance shows no code');
  await network.scan(number, code);
  return instance_id;
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /running at (http:\S+)/.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the gateway ended with ${code}: ${said}`)));
  });
}
