import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ChildOptions {
  readonly args?: readonly string[];
  /** The one core it may use; any, if none is named. */
  readonly core?: number;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a file of this folder as a child with IPC. */
export function runFile(file: string, { args = [], core, env }: ChildOptions = {}): ChildProcess {
  const path = join(import.meta.dirname, file);
  const options = { env: { ...process.env, ...env } };
  const quiet = '--disable-warning=ExperimentalWarning';
  if (core === undefined) return fork(path, args, { ...options, execArgv: [quiet] });
  return fork(path, args, { ...options, execPath: 'taskset', execArgv: ['-c', String(core), process.execPath, quiet] });
}

/** How long a child may take to answer, in milliseconds; a measurement's own time comes on top. */
const answerMs = 120_000;

/** The child's next message; rejects when it ends instead, or says nothing for `extraMs` and two minutes. */
export async function nextMessage<T>(child: ChildProcess, extraMs = 0): Promise<T> {
  const given = new AbortController();
  const signal = AbortSignal.any([given.signal, AbortSignal.timeout(answerMs + extraMs)]);
  try {
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`${child.spawnargs.at(-1)} ended with ${code}`);
    });
    ended.catch(() => undefined);
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message as T;
  } finally {
    given.abort();
  }
}

/** Asks the child to end and waits until it has. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

/** Microseconds of CPU a process has used so far. */
export interface CpuTime {
  /** By its main thread. */
  readonly main: number;
  /** By every other thread: workers, the collector of memory, the file system. */
  readonly others: number;
}

/** Throws where there is no /proc. */
export function cpuTime(pid: number): CpuTime {
  let main = 0;
  let others = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    // utime and stime are in hundredths of a second (proc(5)).
    const used = (Number(fields[11]) + Number(fields[12])) * 10_000;
    if (Number(thread) === pid) main += used;
    else others += used;
  }
  return { main, others };
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const pages = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return (Number(pages) * 1024) / 1e6;
}
