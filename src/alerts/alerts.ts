import { StoreUnavailable, type Timer } from '../core/index.ts';
import { type DeliverOptions, deliverDue } from './deliver.ts';
import { gatherNotices } from './gather.ts';
import { lookAtConditions } from './look.ts';
import type { Measuring } from './machine/index.ts';
import { anyTarget } from './queries.ts';

/** How often is looked for what began and ended, and for what is to be sent. */
const everyMs = 5_000;

interface AlertsOptions extends DeliverOptions {
  /** null: nothing of the machine is measured. */
  readonly measuring: Measuring | null;
  readonly log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

/**
 * Tells people of what is wrong. Every few seconds: what began or ended is written down, what is to be told is gathered into deliveries, and
 * those that are due are sent. Each step is in the store before the next one, so that a process that ends loses nothing; any server may do each.
 */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #stopping = new AbortController();
  #timer: Timer | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#plan();
  }

  /** Cuts off what is being sent; the next process sends it again. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    await this.#running;
    // A row that stays is forgotten by its age; a store that is away must not make the stop an unclean one.
    await this.#options.measuring?.leave().catch(() => undefined);
  }

  /** What is done every few seconds, once; nothing where nobody is told. */
  async round(): Promise<void> {
    const { store, clock } = this.#options;
    if (!(await anyTarget(store.db))) return;
    await this.#options.measuring?.round(clock.now());
    await lookAtConditions(store, clock.now(), everyMs);
    await gatherNotices(store, clock.now());
    while (!this.#stopping.signal.aborted && (await deliverDue(this.#options, this.#stopping.signal)));
  }

  #plan(): void {
    this.#timer = this.#options.clock.after(everyMs, () => {
      this.#running = this.round()
        .catch((error: unknown) => {
          // Of a store that is away others tell.
          if (!(error instanceof StoreUnavailable)) this.#options.log.error({ err: error }, 'alerts could not be looked after');
        })
        .finally(() => {
          if (!this.#stopping.signal.aborted) this.#plan();
        });
    });
  }
}
