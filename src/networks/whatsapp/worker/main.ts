import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerSetup } from '../protocol.ts';
import { useKeyObjects } from './library/key-objects.ts';
import { silenceConsole } from './library/silent-console.ts';

// The entry of a worker thread: it holds WhatsApp connections of many numbers (worker-thread.ts starts it).

// Node puts small buffers together in pieces of 64 KB, each of which stays as long as one buffer in it: a number's few lasting keys would each hold on
// to one that is full of what linking has left behind.
Buffer.poolSize = 4 * 1024;
silenceConsole();
useKeyObjects();
// Loaded only now, so that nothing of it ever had a console.
const { serveLinks } = await import('./lifecycle/serve-links.ts');
if (parentPort === null) throw new Error('this file is started as a worker thread');
serveLinks(parentPort, workerData as WorkerSetup);
