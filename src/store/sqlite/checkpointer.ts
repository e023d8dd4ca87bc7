import { Worker } from 'node:worker_threads';
import type Sqlite from 'better-sqlite3';
import { programFile } from '../../core/index.ts';

const everyMs = 500;
/** Pages of the write-ahead log that are not in the database file yet; fewer are not worth a thread (4 MiB). */
const worthwhilePages = 1024;

/**
 * Has the write-ahead log of a database moved into its file, on a thread that exists only while there is much to move: no request waits for
 * it (design §4), and an idle server does not pay for it. `failed` is told what keeps it from being moved; the next thread tries again.
 * `stop` resolves when no thread is left.
 */
export function startCheckpointer(database: Sqlite.Database, failed: (error: unknown) => void): { stop(): Promise<void> } {
  let running: { readonly worker: Worker; readonly ended: Promise<void> } | null = null;

  const timer = setInterval(() => {
    try {
      if (running !== null || waitingPages(database) < worthwhilePages) return;
    } catch (error) {
      failed(error);
      return;
    }
    const worker = new Worker(programFile('store/sqlite/checkpoint-worker.js'), {
      workerData: { file: database.name, worthwhilePages },
    });
    worker.on('error', failed);
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve())).then(() => {
      running = null;
    });
    running = { worker, ended };
  }, everyMs).unref();

  return {
    async stop() {
      clearInterval(timer);
      running?.worker.postMessage('end');
      await running?.ended;
    },
  };
}

function waitingPages(database: Sqlite.Database): number {
  const [state] = database.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[];
  return state === undefined ? 0 : state.log - state.checkpointed;
}
