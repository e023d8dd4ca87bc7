import { type AgeTime, type Clock, type Log, Periodic, Signal } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { fileGraceMs } from './files/files.ts';
import { deleteFiles } from './files/queries.ts';
import { deleteBefore, deleteExpired, findOldestKept, type Kept } from './queries.ts';

/**
 * How many messages of an account are kept. A link requests a check of its account after this many deliveries, so the surplus is about as large at
 * most.
 */
export const keptMessages = 1000;
const keptMs = 7 * 24 * 60 * 60 * 1000;

const sweepEveryMs = 60_000;
const lookAfterMs = 1000;
// With SQLite, each statement blocks sends for about 4 ms (disk) plus 3 µs per row; the pause between statements lets sends run.
const rowsPerStatement = 1000;
// Each file is up to 4 MiB, spread over many database pages, all of which are touched.
const filesPerStatement = 10;
const pauseMs = 25;

/** Which messages are kept at this time (epoch milliseconds), see decisions §10. */
export function keptAt(now: number): Kept {
  return { count: keptMessages, after: now - keptMs };
}

interface RetentionOptions {
  readonly db: Store['db'];
  readonly clock: Clock;
  readonly time: Pick<AgeTime, 'earliest'>;
  readonly log?: Pick<Log, 'error'> | undefined;
}

/**
 * Keeps the store small. Deletes messages that are too old or exceed their account's limit, together with their files, in small statements with
 * pauses in between.
 */
export class Retention {
  readonly #db: Store['db'];
  readonly #time: Pick<AgeTime, 'earliest'>;
  readonly #accounts = new Set<string>();
  readonly #sweeps: Periodic;
  readonly #stopping: Signal;

  /** Starts the regular sweeps; `stop` ends them. */
  constructor({ db, clock, time, log }: RetentionOptions) {
    this.#db = db;
    this.#time = time;
    this.#stopping = new Signal(clock);
    // What fails is tried again in the next sweep. Until then, reads leave out what should have been deleted.
    const failed = 'old messages of the sandbox could not be deleted';
    this.#sweeps = new Periodic({ clock, everyMs: sweepEveryMs, work: () => this.#sweep(), log, failed }).start();
  }

  /** Requests a check of an account that may have more messages than are kept. */
  look(accountId: string): void {
    this.#accounts.add(accountId);
    this.#sweeps.wake(lookAfterMs);
  }

  /** Ends the sweeps. Resolves when the store is no longer used. */
  async stop(): Promise<void> {
    const stopped = this.#sweeps.stop();
    this.#stopping.notify();
    await stopped;
  }

  async #sweep(): Promise<void> {
    for (const accountId of [...this.#accounts]) {
      // Removed first, so that deliveries during the sweep can request another one.
      this.#accounts.delete(accountId);
      const oldest = await findOldestKept(this.#db, accountId, keptMessages);
      if (oldest !== null) {
        await this.#inSteps(rowsPerStatement, (limit) => deleteBefore(this.#db, accountId, oldest.id, limit));
        await this.#dropFiles({ accountId, until: oldest.receivedAt });
      }
      if (this.#sweeps.stopped) return;
    }
    const until = keptAt(this.#time.earliest()).after;
    await this.#inSteps(rowsPerStatement, (limit) => deleteExpired(this.#db, until, limit));
    await this.#dropFiles({ until });
  }

  #dropFiles({ until, ...of }: { accountId?: string; until: number }): Promise<void> {
    return this.#inSteps(filesPerStatement, (limit) => deleteFiles(this.#db, { ...of, until: until - fileGraceMs }, limit));
  }

  async #inSteps(limit: number, step: (limit: number) => Promise<number>): Promise<void> {
    while (!this.#sweeps.stopped && (await step(limit)) === limit) await this.#stopping.until(() => this.#sweeps.stopped, pauseMs);
  }
}
