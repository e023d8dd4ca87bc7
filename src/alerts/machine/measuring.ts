import type { Log } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { forgetMeasure, forgetMeasuresBefore, noteMeasure } from './queries.ts';
import type { Watch } from './watch.ts';

/** How often each condition is measured. */
const everyMs = 30_000;
const keepMs = 24 * 60 * 60 * 1000;
/** The measure that says that a server is there; without it for a while the server is lost (look.ts). */
export const serverUp = 'server_up';
/** Whose measures are the same for all servers. */
const installation = 'gateway';

interface MeasuringOptions {
  readonly store: Store;
  readonly watches: readonly Watch[];
  /** The name of this server, the same after a restart. */
  readonly server: string;
  readonly log: Pick<Log, 'warn'>;
}

/** Measures what no row of the store tells by itself, and notes what holds, for whichever server looks at the conditions. */
export class Measuring {
  readonly #options: MeasuringOptions;
  readonly #lasting = new Set<Watch>();
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(options: MeasuringOptions) {
    this.#options = options;
  }

  /** Measures everything, when the time has come. */
  async round(now: number): Promise<void> {
    // A time that is to come was before the clock was set back.
    if (now >= this.#measuredAt && now - this.#measuredAt < everyMs) return;
    this.#measuredAt = now;
    const { store, server } = this.#options;
    await noteMeasure(store.db, { condition: serverUp, subject: server, reason: null, at: now });
    for (const watch of this.#options.watches) await this.#measure(watch, now);
    await forgetMeasuresBefore(store.db, now - keepMs);
  }

  /** This server stops on purpose: nobody is to miss it. */
  async leave(): Promise<void> {
    await forgetMeasure(this.#options.store.db, { condition: serverUp, subject: this.#options.server });
  }

  async #measure(watch: Watch, now: number): Promise<void> {
    const { store, server, log } = this.#options;
    const of = { condition: watch.condition, subject: watch.of === 'server' ? server : installation };
    let reason: string | null;
    try {
      reason = await watch.look(now, this.#lasting.has(watch));
    } catch (error) {
      log.warn({ err: error, condition: watch.condition }, 'a condition could not be measured');
      return;
    }
    if (reason === null) {
      this.#lasting.delete(watch);
      await forgetMeasure(store.db, of);
    } else {
      this.#lasting.add(watch);
      await noteMeasure(store.db, { ...of, reason, at: now });
    }
  }
}
