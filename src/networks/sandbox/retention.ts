import type { Clock, Timer } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { fileGraceMs } from './files/files.ts';
import { deleteFiles } from './files/queries.ts';
import { deleteBefore, deleteExpired, findOldestKept, type Kept } from './queries.ts';

const keptMessages = 1000;
const keptMs = 7 * 24 * 60 * 60 * 1000;

/** A link asks for a look at its account after this many deliveries, so that the surplus stays about as small as what is kept. */
export const deliveriesPerLook = keptMessages;

const sweepEveryMs = 60_000;
const lookAfterMs = 1000;
// On the embedded store a statement holds up the hot path for about 4 ms of waiting for the disk and 3 µs per row; the pause lets sends go first.
const rowsPerStatement = 1000;
// Each file is up to 4 MiB in many pages, all of which are touched.
const filesPerStatement = 10;
const pauseMs = 25;

/** What is kept at this time (epoch milliseconds): decisions §10. */
export function keptAt(now: number): Kept {
  return { count: keptMessages, after: now - keptMs };
}

/** Keeps the store small: deletes messages that are too old, or too many for their account, and the files that went with them, in small statements with pauses. */
export class Retention {
  readonly #db: Store['db'];
  readonly #clock: Clock;
  readonly #accounts = new Set<string>();
  #timer: Timer | null = null;
  #due = Number.POSITIVE_INFINITY;
  #sweep: Promise<void> | null = null;
  #endPause: (() => void) | null = null;
  #stopped = false;

  /** Starts at once; `stop` ends it. */
  constructor(db: Store['db'], clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#sweepAfter(sweepEveryMs);
  }

  /** Asks for a look at an account that may have more messages than are kept. */
  look(accountId: string): void {
    if (this.#stopped) return;
    this.#accounts.add(accountId);
    if (this.#sweep === null && this.#due > this.#clock.now() + lookAfterMs) this.#sweepAfter(lookAfterMs);
  }

  /** Ends the work; resolves when the store is no longer used. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    this.#endPause?.();
    await this.#sweep;
  }

  #sweepAfter(ms: number): void {
    this.#timer?.cancel();
    this.#due = this.#clock.now() + ms;
    this.#timer = this.#clock.after(ms, () => {
      this.#sweep = this.#run().finally(() => {
        this.#sweep = null;
        if (!this.#stopped) this.#sweepAfter(this.#accounts.size > 0 ? lookAfterMs : sweepEveryMs);
      });
    });
  }

  async #run(): Promise<void> {
    try {
      for (const accountId of [...this.#accounts]) {
        // Taken out first: deliveries during the look ask for another one.
        this.#accounts.delete(accountId);
        const oldest = await findOldestKept(this.#db, accountId, keptMessages);
        if (oldest !== null) {
          await this.#inSteps(rowsPerStatement, (limit) => deleteBefore(this.#db, accountId, oldest.id, limit));
          await this.#dropFiles({ accountId, until: oldest.receivedAt });
        }
        if (this.#stopped) return;
      }
      const until = keptAt(this.#clock.now()).after;
      await this.#inSteps(rowsPerStatement, (limit) => deleteExpired(this.#db, until, limit));
      await this.#dropFiles({ until });
    } catch {
      // A store that is away or full now is asked again at the next sweep; reads never show what should be gone.
    }
  }

  #dropFiles({ until, ...of }: { accountId?: string; until: number }): Promise<void> {
    return this.#inSteps(filesPerStatement, (limit) => deleteFiles(this.#db, { ...of, until: until - fileGraceMs }, limit));
  }

  async #inSteps(limit: number, step: (limit: number) => Promise<number>): Promise<void> {
    while (!this.#stopped && (await step(limit)) === limit) await this.#pause();
  }

  async #pause(): Promise<void> {
    if (this.#stopped) return;
    await new Promise<void>((resolve) => {
      const timer = this.#clock.after(pauseMs, resolve);
      this.#endPause = () => {
        timer.cancel();
        resolve();
      };
    });
    this.#endPause = null;
  }
}
