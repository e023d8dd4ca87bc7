import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { onChosenPort, PortTaken } from './chosen-port.ts';
import { programOf } from './components.ts';

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
"$@" 2>&1 &
server=$!
echo $server
read -r word
kill -KILL $server
wait $server
`;

interface RedisOptions {
  /** More words of its command line, such as `--requirepass x`. */
  readonly words?: readonly string[];
  /** Its port speaks TLS, with the files that the words name. */
  readonly tls?: boolean;
}

/** Starts a server; takes about a tenth of a second. */
export async function startRedis({ words = [], tls = false }: RedisOptions = {}): Promise<TestRedis> {
  const program = programOf('redis', 'redis-server');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-redis-'));
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder, ...words];
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
  const startOn = async (port: number) => {
    const ports = tls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)];
    const command = ['-c', watchdog, 'sh', program, ...ports, ...settings];
    const started = spawn('sh', command, { cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    shell = started;
    try {
      server = await ready(started.stdout, port);
    } catch (error) {
      await stop();
      throw error;
    }
    // Not before: nothing else need keep this process alive while it waits.
    started.unref();
    if (started.stdout instanceof Socket) started.stdout.unref();
    return { port, start: async () => void (await startOn(port)) };
  };
  const dispose = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const { port, start } = await onChosenPort(startOn);
    return {
      url: tls ? `rediss://localhost:${port}` : `redis://127.0.0.1:${port}`,
      port,
      stop,
      start,
      halt: () => void process.kill(server, 'SIGSTOP'),
      resume: () => void process.kill(server, 'SIGCONT'),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Resolves to the server's process id when it says that it is ready. Throws when it says that it cannot be. */
function ready(output: Readable, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const said: string[] = [];
  // Read to its end: a server whose pipe is full would wait.
  createInterface(output).on('line', (line) => {
    said.push(line);
    if (line.includes('Ready to accept connections')) resolve(Number(said[0]));
    else if (line.includes('Address already in use')) reject(new PortTaken(port));
    else if (/aborting|exiting|FATAL/i.test(line)) reject(new Error(`the tests' Redis server did not start:\n${said.join('\n')}`));
  });
  return promise;
}
