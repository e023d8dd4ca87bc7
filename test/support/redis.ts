import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { debianProgram } from './debian-program.ts';
import { freePort } from './free-port.ts';

const startTimeoutMs = 60_000;

/** A Redis server of the tests' own, which keeps nothing. */
export interface TestRedis {
  /** Its connection URL. */
  readonly url: string;
  readonly port: number;
  /** Kills it; what it held is gone. Resolves when it is. */
  stop(): Promise<void>;
  /** Starts it again on the same port; resolves when it answers. */
  start(): Promise<void>;
  /** Halts it: connections stay open and nothing is answered. */
  halt(): void;
  resume(): void;
  /** Stops it and removes its folder. */
  dispose(): Promise<void>;
}

// The shell outlives this process: when its input ends, however that comes about, it kills the server. It says the server's id first.
const watchdog = `
"$@" >/dev/null 2>&1 &
server=$!
echo $server
read -r word
kill -KILL $server
`;

/** Starts a server; takes about a tenth of a second. `options` are words of its command line, such as `--requirepass x`. */
export async function startRedis(...options: readonly string[]): Promise<TestRedis> {
  const program = debianProgram('redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-redis-'));
  const port = await freePort();
  const words = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...options];
  let shell: ChildProcess | null = null;
  let server = 0;

  const stop = async () => {
    if (shell === null) return;
    const gone = once(shell, 'exit');
    shell.ref();
    shell.stdin?.end();
    shell = null;
    await gone;
  };
  const start = async () => {
    shell = spawn('sh', ['-c', watchdog, 'sh', program, ...words], { cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    shell.unref();
    if (shell.stdout === null) throw new Error('no output');
    const [id] = await once(shell.stdout, 'data');
    server = Number(String(id));
    await listening(port);
  };
  const dispose = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await start();
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    stop,
    start,
    halt: () => void process.kill(server, 'SIGSTOP'),
    resume: () => void process.kill(server, 'SIGCONT'),
    dispose,
  };
}

async function listening(port: number): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return;
    } catch {
      if (Date.now() > deadline) throw new Error(`the tests' Redis server does not listen on port ${port}`);
      await sleep(10);
    } finally {
      socket.destroy();
    }
  }
}
