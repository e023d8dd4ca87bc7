import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/** The real program with its sandbox network, in a process of its own. */
export interface RunningGateway {
  /** Where it serves; it names the same address as its public one. */
  readonly address: string;
  /** A key of a new account that may send this many messages per minute. */
  account(messagesPerMinute: number): Promise<string>;
  /** Ends the process as a power cut would, and starts another on the same data. */
  replace(): Promise<void>;
  stop(): Promise<void>;
}

export async function startGateway(settings: Readonly<Record<string, string>> = {}): Promise<RunningGateway> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'client-gateway-'));
  const env = {
    ...{ PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port), NETWORKS: 'sandbox', NODE_NO_WARNINGS: '1' },
    ...{ NODE_COMPILE_CACHE: join(tmpdir(), 'gateway-compile-cache'), PUBLIC_URL: address, ...settings },
  };
  const start = async () => {
    const child = spawn(process.execPath, [program, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    for await (const text of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      printed += text;
      if (!printed.includes(`running at ${address}`)) continue;
      child.stdout.resume();
      return child;
    }
    throw new Error(`the gateway ended before it served: ${printed}`);
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    running.kill(signal);
    await once(running, 'exit');
  };
  let running = await start();
  let plans = 0;
  // Kept connections that end meanwhile must be noticed, or the next request goes out on one of them.
  const command = async (...words: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, '--json'], { env });
    return JSON.parse(stdout) as Record<string, string>;
  };

  return {
    address,
    async account(messagesPerMinute) {
      const name = `plan-${++plans}`;
      await command('plan', 'create', '--name', name, '--messages-per-minute', String(messagesPerMinute), '--instance-limit', '10');
      const { account_id = '' } = await command('account', 'create', '--name', name, '--plan', name);
      return (await command('key', 'create', '--account', account_id)).key ?? '';
    },
    async replace() {
      await end('SIGKILL');
      running = await start();
    },
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port that nobody listens at. */
export async function freePort(): Promise<number> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  taken.close();
  await once(taken, 'close');
  return port;
}
