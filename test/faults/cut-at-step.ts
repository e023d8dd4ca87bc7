import fs from 'node:fs';
import { ServerResponse } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread, Worker } from 'node:worker_threads';

// Loaded into a gateway's process before the program (`node --import`). Once the file that CUT_FILE names is there, it counts what the main thread does
// with the disk, the worker threads and its callers, and ends the process right before the step whose number the file has. The log as it was when its last
// sync began is kept beside the log: what a power cut leaves.
if (isMainThread && process.env.CUT_FILE !== undefined) endAtStep(process.env.CUT_FILE);

function endAtStep(file: string): void {
  let steps = 0;
  const step = (name: string): void => {
    if (!fs.existsSync(file)) return;
    if (++steps !== Number(fs.readFileSync(file, 'utf8'))) return;
    fs.writeFileSync(file, name);
    process.kill(process.pid, 'SIGKILL');
  };
  const { fdatasync } = fs;
  const synced = (descriptor: number, done: (error: NodeJS.ErrnoException | null) => void): void => {
    step('before the disk is synced');
    const log = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
    const content = fs.readFileSync(log);
    fdatasync(descriptor, (error) => {
      fs.writeFileSync(`${log}.synced`, content);
      step('after the disk is synced');
      done(error);
    });
  };
  Object.assign(fs, { fdatasync: synced });
  syncBuiltinESMExports();

  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (...given) {
    step('before a message to a thread');
    postMessage.apply(this, given);
  };
  process.on('worker', (worker) => void worker.prependListener('message', () => step('after a message from a thread')));

  const { end } = ServerResponse.prototype;
  const answer = function (this: ServerResponse, ...given: Parameters<typeof end>) {
    step('before the answer');
    this.once('finish', () => step('after the answer'));
    return end.apply(this, given);
  };
  Object.assign(ServerResponse.prototype, { end: answer });
}
