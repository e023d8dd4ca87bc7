import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtFile } from '../faults/server-process.ts';
import { startTcpProxy } from './tcp-proxy.ts';

/** `gateway move` in processes of its own, over a way to PostgreSQL that can be halted. */
export interface Moving {
  /** Host, port and database of the way. */
  readonly to: string;
  /** Runs it to its end; what it printed, and how many bytes it sent. */
  run(): Promise<{ code: number | null; stdout: string; stderr: string; sent: number }>;
  /** Runs it, halts its way to the database after so many bytes, and kills it there, after `halted`. */
  killAfter(bytes: number, halted?: () => Promise<void>): Promise<void>;
  /** Like `killAfter`, but the connection is cut instead; what it printed. */
  cutAfter(bytes: number): Promise<{ code: number | null; stderr: string }>;
  close(): Promise<void>;
}

/** Moves the installation in the folder into the database of the URL. */
export async function startMoving(dataDir: string, url: string): Promise<Moving> {
  const target = new URL(url);
  const proxy = await startTcpProxy(Number(target.port));
  target.port = String(proxy.port);

  function start() {
    const child = spawn(process.execPath, [builtFile, 'move', '--to', target.href], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
    return { child, ended };
  }

  /** The process, when so many bytes have gone through. */
  async function haltedAfter(bytes: number) {
    const halted = proxy.haltAfter(bytes);
    const { child, ended } = start();
    const early = ended.then(({ stderr }) => {
      throw new Error(`the move ended before ${bytes} bytes: ${stderr}`);
    });
    await Promise.race([halted, early]);
    early.catch(() => undefined);
    return { child, ended };
  }

  return {
    to: `${target.host}${target.pathname}`,
    async run() {
      const before = proxy.sent;
      return { ...(await start().ended), sent: proxy.sent - before };
    },
    async killAfter(bytes, halted) {
      const { child, ended } = await haltedAfter(bytes);
      await halted?.();
      child.kill('SIGKILL');
      await ended;
      proxy.mend();
    },
    async cutAfter(bytes) {
      const { ended } = await haltedAfter(bytes);
      proxy.cut();
      const { code, stderr } = await ended;
      proxy.mend();
      return { code, stderr };
    },
    close: () => proxy.close(),
  };
}
