import type { Clock, Timer } from '../core/index.ts';
import type { Leases } from '../store/index.ts';
import type { Status } from './link-state.ts';

/** Changes of this time are told together. */
const gatherMs = 500;

/** Tells other nodes the state of this node's links, through the store. What could not be told is told with the next change. */
export class ToldStatuses {
  readonly #leases: Leases;
  readonly #clock: Clock;
  readonly #log: { warn(fields: object, message: string): void };
  #changed = new Map<string, Status>();
  #timer: Timer | null = null;

  constructor(leases: Leases, clock: Clock, log: { warn(fields: object, message: string): void }) {
    this.#leases = leases;
    this.#clock = clock;
    this.#log = log;
  }

  note(instanceId: string, status: Status): void {
    this.#changed.set(instanceId, status);
    this.#timer ??= this.#clock.after(gatherMs, () => {
      this.#timer = null;
      const telling = this.#changed;
      this.#changed = new Map();
      this.#leases.report(telling).catch((error: unknown) => {
        this.#log.warn({ err: error }, 'other nodes could not be told the state of links');
        this.#changed = new Map([...telling, ...this.#changed]);
      });
    });
  }

  stop(): void {
    this.#timer?.cancel();
  }
}
