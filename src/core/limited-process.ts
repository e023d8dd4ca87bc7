import { setPriority } from 'node:os';

interface Limits {
  /** Memory of the process in MiB, without the program's own code and what it shares. */
  readonly memoryMiB: number;
  /** Processor time; absent: not limited. */
  readonly cpuSeconds?: number;
}

/**
 * A command line that starts a program with limits the kernel enforces, whatever becomes of this process. It leaves no core dump with a
 * customer's file in it, and when the machine runs out of memory, the kernel ends that program and not the gateway.
 * Limits that the system does not know are left out.
 */
export function limited({ memoryMiB, cpuSeconds }: Limits, program: string, args: readonly string[]): [file: string, args: string[]] {
  const limits = ['ulimit -c 0', `ulimit -d ${memoryMiB * 1024}`];
  if (cpuSeconds !== undefined) limits.push(`ulimit -t ${cpuSeconds}`);
  limits.push('echo 1000 > /proc/self/oom_score_adj');
  return ['/bin/sh', ['-c', `{ ${limits.join('; ')}; } 2>/dev/null; exec "$@"`, 'sh', program, ...args]];
}

/** What such a program sees of this process's environment: no setting and no secret. */
export function bareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', MALLOC_ARENA_MAX: '2' };
}

/** Lets requests go first: such a program takes the processor time that they leave. */
export function yieldToRequests(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, 5);
  } catch {
    // It has ended already, or the system has no priorities; neither keeps it from working.
  }
}
