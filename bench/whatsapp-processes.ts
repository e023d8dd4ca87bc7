import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Settings by which a gateway or a library finds the network. */
export type NetworkSettings = Readonly<Record<'WHATSAPP_URL' | 'WHATSAPP_ROOT_KEY' | 'WHATSAPP_CA_FILE', string>>;

/** What the network counted. */
export interface Counted {
  readonly messages: number;
  readonly connected: number;
  /** Since the last time this was asked. */
  readonly mostLoginsAtOnce: number;
  readonly problems: readonly string[];
  readonly incomplete: number;
}

/** A WhatsApp network in a process of its own. */
export interface NetworkProcess {
  readonly pid: number;
  readonly settings: NetworkSettings;
  scan(number: string, code: string): Promise<void>;
  counted(): Promise<Counted>;
  stop(): Promise<void>;
}

/** Runs a file of this folder as a child with IPC. */
export function runFile(file: string, args: readonly string[] = []): ChildProcess {
  return fork(join(import.meta.dirname, file), [...args], { execArgv: ['--disable-warning=ExperimentalWarning'] });
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

export async function startNetwork(): Promise<NetworkProcess> {
  const child = runFile('whatsapp-server.ts');
  const settings = await nextMessage<NetworkSettings>(child);
  const waiting = new Map<number, PromiseWithResolvers<Counted>>();
  let last = 0;
  child.on('message', ({ question, counted, failure }: { question: number; counted: Counted; failure?: string }) => {
    const asked = waiting.get(question);
    waiting.delete(question);
    if (failure === undefined) asked?.resolve(counted);
    else asked?.reject(new Error(failure));
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the network's process ended with ${code}`));
  });
  const ask = (scan?: { number: string; code: string }) => {
    const asked = Promise.withResolvers<Counted>();
    waiting.set(++last, asked);
    child.send({ question: last, scan });
    return asked.promise;
  };
  return {
    pid: child.pid ?? 0,
    settings,
    async scan(number, code) {
      await ask({ number, code });
    },
    counted: () => ask(),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
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
