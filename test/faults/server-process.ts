import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFile } from '../../src/core/index.ts';

/** The compiled program: what people run, and it starts in half the time of the sources. */
export const builtFile = fileURLToPath(programFile('main.js'));

// Starting is most of what these tests take; what was compiled once need not be compiled at every start.
const compileCache = join(tmpdir(), 'gateway-compile-cache');

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A gateway in a process of its own. */
export interface ServerProcess {
  readonly child: ChildProcess;
  /** Resolves with the address it serves at; rejects with its own words when it ends before. */
  readonly ready: Promise<string>;
  readonly ended: Promise<Ending>;
  stdout(): string;
  stderr(): string;
  /** Ends it as a power cut would; resolves when it is gone. */
  kill(): Promise<Ending>;
  /** Asks it to stop; resolves when it has. */
  terminate(): Promise<Ending>;
}

export interface ServerOptions {
  /** Goes in front of node: a sandbox to run it in. */
  readonly command?: readonly string[];
  readonly nodeOptions?: readonly string[];
  /** Another copy of the program. */
  readonly file?: string;
}

// The shell outlives this process: when its input ends without a word, however that comes about, it kills the server and what that runs in.
const watchdog = 'read -r word || kill -KILL "-$1"';

/** Starts `gateway serve` with these settings on a free port. It does not outlive this process. */
export function startServer(env: Readonly<Record<string, string>>, options: ServerOptions = {}): ServerProcess {
  const words = [...(options.command ?? []), process.execPath, ...(options.nodeOptions ?? []), options.file ?? builtFile, 'serve'];
  const [program = process.execPath, ...rest] = words;
  const child = spawn(program, rest, {
    // Nothing of the caller's own settings may reach it.
    env: { PATH: process.env.PATH, PORT: '0', NETWORKS: 'sandbox', NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, with whatever it runs in.
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} cannot be started`);
  const watching = spawn('sh', ['-c', watchdog, 'sh', String(pid)], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  let stdout = '';
  let stderr = '';
  const ended = once(child, 'close').then(([code, signal]): Ending => ({ code, signal }));
  void ended.then(() => watching.stdin.end('ended\n'));
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  // Those who only wait for the end do not look at it.
  ready.catch(() => undefined);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const address = /running at (http:\S+)/.exec(stdout)?.[1];
    if (address !== undefined) resolve(address);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  void ended.then(({ code, signal }) => reject(new Error(`the server ended (${signal ?? code}) before it was ready: ${stderr || stdout}`)));
  return {
    child,
    ready,
    ended,
    stdout: () => stdout,
    stderr: () => stderr,
    kill() {
      if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
      return ended;
    },
    terminate() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
