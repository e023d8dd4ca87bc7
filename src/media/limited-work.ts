import { type Clock, GatewayError, type Semaphore } from '../core/index.ts';
import { Deadline } from './deadline.ts';

interface LimitedWorkOptions {
  readonly clock: Clock;
  /** How long a call may take, waiting included. */
  readonly totalMs: number;
  readonly tookTooLong: () => Error;
  readonly slots: Semaphore;
}

/** Work that waits for its slot and has a time limit, until all of it is closed. */
export class LimitedWork {
  readonly #options: LimitedWorkOptions;
  readonly #deadlines = new Set<Deadline>();
  #closed = false;

  constructor(options: LimitedWorkOptions) {
    this.#options = options;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Throws GatewayError `upstream_unavailable` once this is closed. */
  refuseIfClosed(): void {
    if (this.#closed) throw closing();
  }

  /** `waitMs`: how long the slot may be waited for, where that is less. */
  async run<T>(owner: string | null, work: (deadline: Deadline) => Promise<T>, waitMs?: number): Promise<T> {
    const { clock, totalMs, tookTooLong, slots } = this.#options;
    const deadline = new Deadline(clock, totalMs, tookTooLong);
    this.#deadlines.add(deadline);
    try {
      if (waitMs !== undefined) deadline.phase(waitMs, tookTooLong);
      const free = await slots.take(owner, deadline.signal);
      try {
        return await work(deadline);
      } finally {
        free();
      }
    } finally {
      deadline.end();
      this.#deadlines.delete(deadline);
    }
  }

  /** Aborts what is under way; it ends soon. */
  close(): void {
    this.#closed = true;
    for (const deadline of this.#deadlines) deadline.abort(closing());
  }
}

function closing(): GatewayError {
  return new GatewayError('upstream_unavailable', 'The gateway is shutting down; retry shortly.');
}
