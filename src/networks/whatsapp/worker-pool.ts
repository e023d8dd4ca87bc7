import type { Logger } from 'pino';
import { MemoryRelease } from '../../core/index.ts';
import { manySends, type WorkerSetup } from './protocol.ts';
import { WorkerThread } from './worker-thread.ts';

/**
 * After this many numbers were linked, this thread's garbage is collected too. There is much of it from storing the new credentials, but a collection
 * blocks the thread for 0.2 s.
 */
const manyLinked = 50;

/**
 * The worker threads. They are started when the first links need them, and instances are spread evenly over them. A thread that dies is replaced when
 * the next link is opened.
 */
export class WorkerPool {
  readonly #options: { readonly size: number; readonly setup: WorkerSetup; readonly log: Logger };
  readonly #afterLinks: MemoryRelease;
  readonly #afterSends: MemoryRelease;
  /** Each with how many instances stay with it. */
  readonly #threads = new Map<WorkerThread, number>();
  /** An instance stays with its thread, which has cached its recipients. */
  readonly #homes = new Map<string, WorkerThread>();
  #revision: number | null = null;

  constructor(options: { size: number; setup: WorkerSetup; log: Logger }) {
    this.#options = options;
    const notReleased = () => options.log.debug('memory could not be released');
    this.#afterLinks = new MemoryRelease(notReleased, manyLinked);
    this.#afterSends = new MemoryRelease(notReleased, manySends);
  }

  threadOf(instanceId: string): WorkerThread {
    const home = this.#homes.get(instanceId);
    if (home !== undefined) return home;
    const [thread, instances] = this.#leastLoaded();
    this.#threads.set(thread, instances + 1);
    this.#homes.set(instanceId, thread);
    return thread;
  }

  /** Sets the version for all connections begun from now on. None is begun before there is one. */
  use(revision: number): void {
    this.#revision = revision;
    for (const thread of this.#threads.keys()) thread.use(revision);
  }

  /** The instance is not linked any more, so its next link may run on any thread. */
  forget(instanceId: string): void {
    const home = this.#homes.get(instanceId);
    if (home === undefined) return;
    this.#homes.delete(instanceId);
    this.#threads.set(home, (this.#threads.get(home) ?? 1) - 1);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads.keys()].map((thread) => thread.end()));
    this.#threads.clear();
  }

  #leastLoaded(): readonly [WorkerThread, number] {
    const [least] = this.#threads.size < this.#options.size ? [] : [...this.#threads].sort(([, a], [, b]) => a - b);
    return least ?? [this.#start(), 0];
  }

  #start(): WorkerThread {
    const { setup, log } = this.#options;
    const thread = new WorkerThread({
      ...{ setup, log },
      paired: () => this.#afterLinks.soon(),
      answered: () => this.#afterSends.soon(),
      died: (dead) => {
        log.error({ links: dead.load }, 'a WhatsApp worker has died; its numbers reconnect');
        this.#threads.delete(dead);
        for (const [instanceId, home] of this.#homes) if (home === dead) this.#homes.delete(instanceId);
      },
    });
    this.#threads.set(thread, 0);
    if (this.#revision !== null) thread.use(this.#revision);
    return thread;
  }
}
