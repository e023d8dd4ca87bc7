import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Clock, programFile, type Timer } from '../../core/index.ts';
import { ConversionFailure, ToolMissing } from './conversion.ts';
import { bareEnvironment, limited, yieldToRequests } from './limits.ts';
import { isHeic, type Picture } from './picture.ts';
import type { StillImage, StillRequest, StillSticker } from './still-jobs.ts';

/** Reads still pictures in processes of their own, started when there is something to read and ended when there was nothing for a while. */
export interface StillReader {
  /** Throws ConversionFailure when the picture cannot be read within the limits, or the signal's reason. */
  image(picture: Picture, signal: AbortSignal): Promise<StillImage>;
  /** Throws like `image`. */
  sticker(picture: Picture, signal: AbortSignal): Promise<StillSticker>;
  /** Throws like `image`. */
  logo(path: string, signal: AbortSignal): Promise<Uint8Array>;
  /** Ends every process. What is being read fails. */
  close(): Promise<void>;
}

/** What the process answers. */
type Reply<T> = { readonly outcome: 'done'; readonly result: T } | { readonly outcome: 'failed' } | { readonly outcome: 'missing' };

interface Idle {
  readonly child: ChildProcess;
  /** What it may use. */
  readonly memoryMiB: number;
  readonly timer: Timer;
}

const idleMs = 30_000;
/** V8 alone sets 600 MiB aside, which it does not use; the rest is for pictures. */
const usualMiB = 960;
/** Enough for a phone's HEIC of 24 million pixels, which its decoder unpacks as a whole. */
const heicMiB = 1088;
const program = fileURLToPath(programFile('still-process.js'));

/** How many processes there are follows from how many pictures are read at a time. */
export function createStillReader(clock: Clock): StillReader {
  const running = new Set<ChildProcess>();
  const idle: Idle[] = [];

  function start(memoryMiB: number): ChildProcess {
    const child = spawn(...limited({ memoryMiB }, process.execPath, [program]), {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
      env: bareEnvironment(),
    });
    yieldToRequests(child.pid);
    running.add(child);
    child.once('exit', () => forget(child));
    // Without a listener a failed start would end the gateway; whoever waits for the reply is told by `ask`.
    child.once('error', () => forget(child));
    return child;
  }

  function forget(child: ChildProcess): void {
    running.delete(child);
    wake(child);
  }

  /** Takes a process out of those that wait for a request. */
  function wake(child: ChildProcess): void {
    const index = idle.findIndex((waiting) => waiting.child === child);
    if (index !== -1) idle.splice(index, 1)[0]?.timer.cancel();
  }

  function takeIdle(memoryMiB: number): ChildProcess | null {
    const waiting = idle.findLast((one) => one.memoryMiB === memoryMiB);
    if (waiting !== undefined) wake(waiting.child);
    return waiting?.child ?? null;
  }

  function rest(child: ChildProcess, memoryMiB: number): void {
    const timer = clock.after(idleMs, () => {
      wake(child);
      child.kill('SIGKILL');
    });
    idle.push({ child, memoryMiB, timer });
  }

  async function ask<T>(request: StillRequest, signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const memoryMiB = isHeic(request.picture) ? heicMiB : usualMiB;
    const child = takeIdle(memoryMiB) ?? start(memoryMiB);
    let alive = false;
    try {
      const reply = await replyOf<T>(child, request, signal);
      alive = true;
      if (reply.outcome === 'missing') throw new ToolMissing('sharp');
      if (reply.outcome === 'failed') throw new ConversionFailure('the picture could not be read within its limits', true);
      return reply.result;
    } finally {
      // After a failure nobody knows what it is still busy with.
      if (alive) rest(child, memoryMiB);
      else child.kill('SIGKILL');
    }
  }

  return {
    image: (picture, signal) => ask({ job: 'image', picture }, signal),
    sticker: (picture, signal) => ask({ job: 'sticker', picture }, signal),
    logo: (path, signal) => ask({ job: 'logo', picture: { path, found: null } }, signal),
    async close() {
      const ended = [...running].map((child) => once(child, 'exit'));
      for (const child of running) child.kill('SIGKILL');
      await Promise.all(ended);
    },
  };
}

function replyOf<T>(child: ChildProcess, request: StillRequest, signal: AbortSignal): Promise<Reply<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply<T>>();
  const died = () => reject(new ConversionFailure('the process that reads pictures ended', false));
  const aborted = () => reject(signal.reason);
  const unstartable = (error: Error) => reject(error);
  child.once('message', resolve).once('exit', died).once('error', unstartable);
  signal.addEventListener('abort', aborted);
  // A process that takes no request is ending, and its exit follows.
  child.send(request, (error) => error !== null && child.kill('SIGKILL'));
  return promise.finally(() => {
    signal.removeEventListener('abort', aborted);
    child.off('message', resolve).off('exit', died).off('error', unstartable);
  });
}
