import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { onChosenPort, PortTaken } from './chosen-port.ts';
import { ensureComponent, howToGet, postgresFolder } from './components.ts';

const startTimeoutMs = 60_000;

const settings = ['max_connections=300', 'deadlock_timeout=50ms'];
// With its own defaults it has the disk write every new database at once, and waits for that up to half a second.
const undurable = ['fsync=off', 'full_page_writes=off', 'backend_flush_after=0', 'bgwriter_flush_after=0', 'checkpoint_flush_after=0'];

/** A PostgreSQL server of the tests' own, in a temporary folder. */
export interface TestServer {
  /** Its connection URL, a superuser's. */
  readonly url: string;
  /** Kills it as a crash would, keeping its data; resolves when it is gone. */
  crash(): Promise<void>;
  /** Stops it as an administrator does (a fast shutdown): connections are broken, what was committed is on the disk. */
  stop(): Promise<void>;
  /** Starts it again after a crash or a stop, on the same port and data; resolves when it answers. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  dispose(): Promise<void>;
}

// Tests open thousands of connections: md5 spares each the 4,096 rounds of scram-sha-256. The shell outlives this process: when its input ends, however that comes about, it stops the server and removes the folder.
const watchdog = `
if [ ! -d "$2/data" ]; then
  "$1/initdb" -D "$2/data" -U postgres --pwfile "$2/password" --auth=md5 --encoding=UTF8 --locale=C --no-sync >"$2/log" 2>&1 || exit 1
fi
"$1/postgres" -D "$2/data" -p "$3" -k "$2" -h 127.0.0.1 $4 >"$2/log" 2>&1 &
server=$!
read -r word
if [ "$word" = stop ]; then kill -INT $server; else kill -QUIT $server; fi
wait $server
[ -n "$word" ] || rm -rf "$2"
`;

/**
 * Starts a server; takes about two seconds. `durable`: it waits for the disk, as a real one does and tests need not. Throws with the server's own words when it does not come up within a minute.
 */
export async function startPostgres({ durable = false } = {}): Promise<TestServer> {
  ensureComponent('postgres');
  const binaries = postgresFolder();
  if (binaries === null) throw new Error(howToGet('postgres'));
  const user = serverUser();
  const folder = mkdtempSync(join(tmpdir(), 'gateway-postgres-'));
  const password = randomBytes(12).toString('hex');
  let shell: ChildProcess | null = null;
  try {
    writeFileSync(join(folder, 'password'), password);
    if (user !== null) for (const path of [folder, join(folder, 'password')]) chownSync(path, user.uid, user.gid);
    const startOn = async (port: number) => {
      const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
      // What the server said when it stopped must not be taken for what it says now.
      rmSync(join(folder, 'log'), { force: true });
      const chosen = [...settings, ...(durable ? [] : undurable)].map((setting) => `-c ${setting}`).join(' ');
      shell = spawn('sh', ['-c', watchdog, 'sh', binaries, folder, String(port), chosen], {
        ...user,
        cwd: folder,
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      shell.unref();
      try {
        await answering(url, shell, join(folder, 'log'));
      } catch (error) {
        // Its shell is not told to remove the folder, which the next try needs.
        if (error instanceof PortTaken) await end('stop\n');
        throw error;
      }
      return { url, start: async () => void (await startOn(port)) };
    };
    const end = async (word: string) => {
      if (shell === null) return;
      const gone = once(shell, 'exit');
      shell.ref();
      shell.stdin?.end(word);
      shell = null;
      await gone;
    };
    return {
      ...(await onChosenPort(startOn)),
      crash: () => end('crash\n'),
      stop: () => end('stop\n'),
      async dispose() {
        await end('');
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    // The end of its input makes the shell stop the server.
    (shell as ChildProcess | null)?.stdin?.end();
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Whom to run the server as: PostgreSQL refuses to run as root. Null: as whoever runs the tests. */
function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const people = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = people.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as');
}

async function answering(url: string, shell: ChildProcess, log: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      const words = existsSync(log) ? readFileSync(log, 'utf8') : '';
      const failed = shell.exitCode !== null || words.includes('database system is shut down');
      if (words.includes('could not bind IPv4 address')) throw new PortTaken(Number(new URL(url).port));
      if (failed || Date.now() > deadline) throw new Error(`the tests' PostgreSQL server did not start:\n${words.slice(-2000)}`);
      await sleep(30);
    }
  }
}
