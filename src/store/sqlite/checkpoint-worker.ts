import { parentPort, workerData } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';

// Checkpoints on a thread of their own while there is much to move (checkpointer.ts).

const everyMs = 200;
/** After so many rounds in a row with little to do the thread ends. */
const idleRounds = 25;

const { file, worthwhilePages } = workerData as { file: string; worthwhilePages: number };
const database = new Sqlite(file, { timeout: 100, fileMustExist: true });
database.pragma('synchronous = normal');
let idle = 0;

const timer = setInterval(() => {
  const [state] = database.pragma('wal_checkpoint(noop)') as { log: number; checkpointed: number }[];
  if (state === undefined || state.log - state.checkpointed < worthwhilePages) {
    if (++idle >= idleRounds) end();
    return;
  }
  idle = 0;
  // First most of it, alongside the writers; then the rest, for a moment without them, so that the log starts over: a growing log makes every
  // commit wait for the file system's own journal too.
  database.pragma('wal_checkpoint(passive)');
  database.pragma('wal_checkpoint(restart)');
}, everyMs);

function end(): void {
  clearInterval(timer);
  database.close();
  parentPort?.close();
}

parentPort?.once('message', end);
