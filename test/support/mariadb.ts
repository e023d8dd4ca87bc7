import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { onChosenPort, PortTaken } from './chosen-port.ts';
import { programOf } from './components.ts';

/** A MariaDB server of the tests' own, in a temporary folder. */
export interface TestMariadb {
  /** Its connection URL, without a database; the user may do everything. */
  readonly url: string;
  /** Stops it and removes its folder. */
  dispose(): Promise<void>;
}

// The shell outlives this process: when its input ends, however that comes about, it kills the server and removes the folder.
const watchdog = `
folder=$1
shift
"$@" 2>&1 &
server=$!
read -r word
kill -KILL $server
wait $server
[ -n "$word" ] || rm -rf "$folder"
`;

/** Starts a server; takes some seconds. */
export async function startMariadb(): Promise<TestMariadb> {
  const [program, install] = ['mariadbd', 'mariadb-install-db'].map((name) => programOf('mariadb', name));
  if (program === undefined || install === undefined) throw new Error('MariaDB has no programs');
  const folder = mkdtempSync(join(tmpdir(), 'gateway-mariadb-'));
  const password = randomBytes(12).toString('hex');
  // It runs as root only when that is said.
  const common = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--user=${userInfo().username}`];
  try {
    await promisify(execFile)(install, [...common, '--skip-test-db', '--auth-root-authentication-method=normal'], { cwd: folder });
    writeFileSync(
      join(folder, 'start.sql'),
      `create or replace user tests@'127.0.0.1' identified by '${password}';\ngrant all on *.* to tests@'127.0.0.1';\n`,
    );
    const settings = ['--bind-address=127.0.0.1', '--skip-name-resolve', '--skip-log-bin', '--innodb-flush-log-at-trx-commit=0'];
    const files = [`--socket=${join(folder, 'socket')}`, `--pid-file=${join(folder, 'pid')}`, `--init-file=${join(folder, 'start.sql')}`];
    return await onChosenPort(async (port) => {
      const command = [program, ...common, ...settings, ...files, `--port=${port}`];
      const shell = spawn('sh', ['-c', watchdog, 'sh', folder, ...command], {
        cwd: folder,
        detached: true,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const end = async (word: string) => {
        const gone = once(shell, 'exit');
        shell.ref();
        shell.stdin.end(word);
        await gone;
      };
      try {
        await ready(shell.stdout, port);
      } catch (error) {
        // The next try needs the folder.
        await end('stop\n');
        throw error;
      }
      // Not before: nothing else need keep this process alive while it waits.
      shell.unref();
      if (shell.stdout instanceof Socket) shell.stdout.unref();
      return { url: `mysql://tests:${password}@127.0.0.1:${port}`, dispose: () => end('') };
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Resolves when the server says that it is ready. Throws when it says that it cannot be, or ends. */
function ready(output: Readable, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const lines: string[] = [];
  const failed = () => reject(new Error(`the tests' MariaDB server did not start:\n${lines.slice(-30).join('\n')}`));
  // Read to its end: a server whose pipe is full would wait.
  createInterface(output)
    .on('line', (line) => {
      lines.push(line);
      if (line.includes('ready for connections')) resolve();
      else if (line.includes('Address already in use')) reject(new PortTaken(port));
      else if (line.includes('[ERROR] Aborting')) failed();
    })
    .on('close', failed);
  return promise;
}
