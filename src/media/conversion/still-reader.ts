import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Clock, programFile, startLimited, type Timer } from '../../core/index.ts';
import { ConversionFailure, ToolMissing } from './conversion.ts';
import type { StillImage, StillRequest, StillSticker } from './still-jobs.ts';
import { isHeic, type Picture } from './still-opening.ts';

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

/**
 * Reads still pictures in processes of their own, one for each picture that is read at the same time. They are started when there is something to
 * read and ended when there was nothing for a while.
 */
export class StillReader {
  readonly #clock: Clock;
  readonly #running = new Set<ChildProcess>();
  readonly #idle: Idle[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws ConversionFailure when the picture cannot be read within the limits, the signal's reason, or why no process can be started. */
  image(picture: Picture, signal: AbortSignal): Promise<StillImage> {
    return this.#ask({ job: 'image', picture }, signal);
  }

  /** Throws like `image`. */
  sticker(picture: Picture, signal: AbortSignal): Promise<StillSticker> {
    return this.#ask({ job: 'sticker', picture }, signal);
  }

  /** Throws like `image`. */
  logo(path: string, signal: AbortSignal): Promise<Uint8Array> {
    return this.#ask({ job: 'logo', picture: { path, found: null } }, signal);
  }

  /** Ends every process. What is being read fails. */
  async close(): Promise<void> {
    const ended = [...this.#running].map((child) => once(child, 'exit'));
    for (const child of this.#running) child.kill('SIGKILL');
    await Promise.all(ended);
  }

  async #ask<T>(request: StillRequest, signal: AbortSignal): Promise<T> {
    const memoryMiB = isHeic(request.picture) ? heicMiB : usualMiB;
    const child = this.#takeIdle(memoryMiB) ?? (await this.#start(memoryMiB));
    let alive = false;
    try {
      signal.throwIfAborted();
      const reply = await replyOf<T>(child, request, signal);
      alive = true;
      if (reply.outcome === 'missing') throw new ToolMissing('sharp');
      if (reply.outcome === 'failed') throw new ConversionFailure('the picture could not be read within its limits', true);
      return reply.result;
    } finally {
      // After a failure it may still be busy with the picture.
      if (alive) this.#rest(child, memoryMiB);
      else child.kill('SIGKILL');
    }
  }

  async #start(memoryMiB: number): Promise<ChildProcess> {
    const child = await startLimited({ memoryMiB }, process.execPath, [program], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.#running.add(child);
    child.once('exit', () => {
      this.#running.delete(child);
      this.#wake(child);
    });
    return child;
  }

  #takeIdle(memoryMiB: number): ChildProcess | null {
    const idle = this.#idle.findLast((one) => one.memoryMiB === memoryMiB);
    if (idle !== undefined) this.#wake(idle.child);
    return idle?.child ?? null;
  }

  #rest(child: ChildProcess, memoryMiB: number): void {
    const timer = this.#clock.after(idleMs, () => {
      this.#wake(child);
      child.kill('SIGKILL');
    });
    this.#idle.push({ child, memoryMiB, timer });
  }

  /** Takes a process out of those that wait for a request. */
  #wake(child: ChildProcess): void {
    const index = this.#idle.findIndex((idle) => idle.child === child);
    if (index !== -1) this.#idle.splice(index, 1)[0]?.timer.cancel();
  }
}

function replyOf<T>(child: ChildProcess, request: StillRequest, signal: AbortSignal): Promise<Reply<T>> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply<T>>();
  const died = () => reject(new ConversionFailure('the process that reads pictures ended', false));
  const aborted = () => reject(signal.reason);
  child.once('message', resolve).once('exit', died);
  signal.addEventListener('abort', aborted);
  // A process that takes no request is ending, and its exit follows.
  child.send(request, (error) => error !== null && child.kill('SIGKILL'));
  return promise.finally(() => {
    signal.removeEventListener('abort', aborted);
    child.off('message', resolve).off('exit', died);
  });
}
