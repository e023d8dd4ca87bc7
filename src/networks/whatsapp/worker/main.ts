import { parentPort, workerData } from 'node:worker_threads';
import { waitForSlowHandshakes } from '../../../core/index.ts';
import type { WorkerSetup } from '../protocol.ts';
import { useKeyObjects } from './library/quick-crypto.ts';

// The entry point of a worker thread, which holds the WhatsApp connections of many numbers (started by worker-thread.ts).

// Node allocates small buffers from pools of 64 KB, and a pool stays in memory as long as any buffer in it. Each number's few lasting keys would keep
// a pool alive that is otherwise full of leftovers from linking.
Buffer.poolSize = 4 * 1024;
// libsignal prints SignalSessions with their private keys.
for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const) console[name] = () => undefined;
useKeyObjects();
waitForSlowHandshakes();
// Imported after the console is silenced, so that libsignal can never print to it.
const { serveLinks } = await import('./lifecycle/serve-links.ts');
if (parentPort === null) throw new Error('this file is started as a worker thread');
serveLinks(parentPort, workerData as WorkerSetup);
