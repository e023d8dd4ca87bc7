import type { Log } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { everyServer } from './conditions.ts';
import { deleteMeasure, deleteMeasuresBefore, serverUp, storeMeasure } from './queries.ts';
import type { Watch } from './watches.ts';

/** How often each condition is measured. */
const everyMs = 30_000;
const keepMs = 24 * 60 * 60 * 1000;

interface MeasuringOptions {
  readonly store: Store;
  readonly watches: readonly Watch[];
  /** The name of this server, the same after a restart. */
  readonly server: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Measures what cannot be read from the store, and stores it for whichever server updates the alerts. */
export class Measuring {
  readonly #options: MeasuringOptions;
  readonly #lasting = new Set<Watch>();
  #measuredAt = Number.NEGATIVE_INFINITY;
  /** Whether the store may have this server's `server_up`: an earlier process may have left it. */
  #noted = true;

  constructor(options: MeasuringOptions) {
    this.#options = options;
  }

  async round(now: number): Promise<void> {
    // The clock was set back if the last time lies ahead.
    if (now >= this.#measuredAt && now - this.#measuredAt < everyMs) return;
    this.#measuredAt = now;
    this.#noted = true;
    const { store, server } = this.#options;
    await storeMeasure(store.db, { condition: serverUp, subject: server, reason: null, at: now });
    for (const watch of this.#options.watches) await this.#measure(watch, now);
    await deleteMeasuresBefore(store.db, now - keepMs);
  }

  /** Nobody wants to know, so nothing is measured; once somebody does, this server must not seem to have been gone meanwhile. */
  async pause(): Promise<void> {
    if (!this.#noted) return;
    await this.leave();
    this.#noted = false;
    this.#measuredAt = Number.NEGATIVE_INFINITY;
  }

  /** This server stops on purpose, so it is not reported as lost. */
  async leave(): Promise<void> {
    await deleteMeasure(this.#options.store.db, { condition: serverUp, subject: this.#options.server });
  }

  async #measure(watch: Watch, now: number): Promise<void> {
    const { store, server, log } = this.#options;
    const of = { condition: watch.condition, subject: watch.of === 'server' ? server : everyServer };
    let reason: string | null;
    try {
      reason = await watch.look(now, this.#lasting.has(watch));
    } catch (error) {
      log.warn({ err: error, condition: watch.condition }, 'a condition could not be measured');
      return;
    }
    if (reason === null) {
      this.#lasting.delete(watch);
      await deleteMeasure(store.db, of);
    } else {
      this.#lasting.add(watch);
      await storeMeasure(store.db, { ...of, reason, at: now });
    }
  }
}
