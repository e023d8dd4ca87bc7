import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';

interface Limits {
  /** Memory of the process in MiB, without the program's own code and what it shares. */
  readonly memoryMiB: number;
  /** Processor time; absent: not limited. */
  readonly cpuSeconds?: number;
}

/**
 * Starts a program with limits the kernel enforces, whatever becomes of this process. It sees no setting and no secret of this process's environment,
 * and takes the processor time that requests leave. Throws when it cannot be started: this process may be out of file descriptors.
 */
export async function startLimited(
  limits: Limits,
  program: string,
  args: readonly string[],
  { env, ...options }: SpawnOptions,
): Promise<ChildProcess> {
  const child = spawn(...limited(limits, program, args), { ...options, env: { ...bareEnvironment(), ...env } });
  if (child.pid === undefined) {
    // It may have neither pipes nor a channel, and a signal to it could hit any process.
    const [error] = await once(child, 'error');
    throw error;
  }
  // Without a listener a later error would end the gateway; the exit that follows says enough.
  child.on('error', () => undefined);
  yieldToRequests(child.pid);
  return child;
}

/**
 * A command line that starts a program with limits. It leaves no core dump with a customer's file in it, and when the machine runs out of memory, the
 * kernel ends that program and not the gateway. Limits that the system does not know are left out.
 */
function limited({ memoryMiB, cpuSeconds }: Limits, program: string, args: readonly string[]): [file: string, args: string[]] {
  const limits = ['ulimit -c 0', `ulimit -d ${memoryMiB * 1024}`];
  if (cpuSeconds !== undefined) limits.push(`ulimit -t ${cpuSeconds}`);
  limits.push('echo 1000 > /proc/self/oom_score_adj');
  return ['/bin/sh', ['-c', `{ ${limits.join('; ')}; } 2>/dev/null; exec "$@"`, 'sh', program, ...args]];
}

function bareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', MALLOC_ARENA_MAX: '2' };
}

function yieldToRequests(pid: number): void {
  try {
    setPriority(pid, 5);
  } catch {
    // It has ended already, or the system has no priorities; neither keeps it from working.
  }
}
