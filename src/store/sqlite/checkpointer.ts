import { Worker } from 'node:worker_threads';
import type Sqlite from 'better-sqlite3';
import { programFile } from '../../core/index.ts';

const everyMs = 500;
/** Pages of the write-ahead log that are not in the database file yet; fewer are not worth a thread (4 MiB). */
const worthwhilePages = 1024;

/**
 * Has the write-ahead log of a database moved into its file, on a thread that exists only while there is much to move: no request waits for
 * it (design §4), and an idle server does not pay for it. `stop` resolves when no thread is left.
 */
export function startCheckpointer(database: Sqlite.Database): { stop(): Promise<void> } {
  let running: { readonly worker: Worker; readonly ended: Promise<void> } | null = null;

  const timer = setInterval(() => {
    if (running !== null || waitingPages(database) < worthwhilePages) return;
    const worker = new Worker(programFile('store/sqlite/checkpoint-worker.js'), {
      workerData: { file: database.name, worthwhilePages },
    });
    // A checkpoint that failed (a full disk) is tried again by the next thread; writers themselves report what keeps them from writing.
    worker.on('error', () => undefined);
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
