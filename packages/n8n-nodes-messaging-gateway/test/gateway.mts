import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { vi } from 'vitest';

const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

interface Account {
  readonly accountId: string;
  readonly apiKey: string;
  /** The id of a number that a phone of the sandbox network has linked. */
  readonly instanceId: string;
}

/** The real program with its sandbox network, in a process of its own. */
export interface RunningGateway {
  readonly address: string;
  /** A new account with a linked number. */
  account(phoneNumber: string): Promise<Account>;
  /** A command of the program beside the server, and what it prints. */
  command(...words: readonly string[]): Promise<Readonly<Record<string, unknown>>>;
  /** What a contact of the sandbox network has received. */
  received(apiKey: string, to: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  stop(): Promise<void>;
}

export async function startGateway(settings: Readonly<Record<string, string>> = {}): Promise<RunningGateway> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'n8n-gateway-'));
  const env = {
    ...{ PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port), NETWORKS: 'sandbox', NODE_NO_WARNINGS: '1' },
    ...{ NODE_COMPILE_CACHE: join(tmpdir(), 'gateway-compile-cache'), PUBLIC_URL: address, ...settings },
  };
  const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += text;
    if (printed.includes(`running at ${address}`)) break;
  }
  if (child.exitCode !== null) throw new Error(`the gateway ended before it served: ${printed}`);
  child.stdout.resume();

  // Kept connections that end meanwhile must be noticed, or the next request goes out on one of them.
  const command = async (...words: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, '--json'], { env });
    return JSON.parse(stdout) as Record<string, string>;
  };
  const call = async (apikey: string, path: string, body?: object) => {
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const response = await fetch(address + path, { headers: { apikey, 'content-type': 'application/json' }, ...sent });
    return ((await response.json()) as { readonly data: Readonly<Record<string, unknown>> }).data;
  };
  await command('plan', 'create', '--name', 'large', '--messages-per-minute', '100000', '--instance-limit', '10');

  return {
    address,
    command,
    async account(phoneNumber) {
      const { account_id: accountId = '' } = await command('account', 'create', '--name', phoneNumber, '--plan', 'large');
      const { key: apiKey = '' } = await command('key', 'create', '--account', accountId);
      const { instance_id: instanceId } = await call(apiKey, '/v1/instances', { label: 'Front desk' });
      await vi.waitFor(async () => {
        const { qrcode } = await call(apiKey, `/v1/instances/${instanceId}/qr`);
        if (qrcode === null) return;
        await call(apiKey, '/sandbox/scan', { code: (qrcode as { readonly code: string }).code, phone_number: phoneNumber });
        throw new Error('not linked yet');
      }, 10_000);
      return { accountId, apiKey, instanceId: String(instanceId) };
    },
    async received(apiKey, to) {
      return (await call(apiKey, `/sandbox/messages?to=${to}`)).messages as readonly Readonly<Record<string, unknown>>[];
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}
