import { Worker } from 'node:worker_threads';
import type Sqlite from 'better-sqlite3';
import { programFile } from '../../core/index.ts';

const everyMs = 500;
/** Pages of the write-ahead log that are not in the database file yet; fewer are not worth a thread (4 MiB). */
const worthwhilePages = 1024;

interface Thread {
  readonly worker: Worker;
  readonly ended: Promise<void>;
}

/**
 * Has the write-ahead log of a database moved into its file, on a thread that exists only while there is much to move: no request waits for
 * it (design §4), and an idle server does not pay for it. `failed` is called with what keeps it from being moved, once until a thread
 * succeeds again; each next thread tries.
 * `stop` resolves when no thread is left.
 */
export function startCheckpointer(database: Sqlite.Database, failed: (error: unknown) => void): { stop(): Promise<void> } {
  let isReported = false;
  let running: Thread | null = null;

  function report(error: unknown): void {
    if (!isReported) failed(error);
    isReported = true;
  }

  function start(): Thread {
    const worker = new Worker(programFile('checkpoint-worker.js'), {
      workerData: { file: database.name, worthwhilePages },
    });
    worker.on('error', report);
    const ended = new Promise<number>((resolve) => worker.once('exit', resolve)).then((exitCode) => {
      running = null;
      if (exitCode === 0) isReported = false;
    });
    return { worker, ended };
  }

  const timer = setInterval(() => {
    try {
      if (running === null && waitingPages(database) >= worthwhilePages) running = start();
    } catch (error) {
      // Also when the system has no thread left, which would end the process.
      report(error);
    }
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
