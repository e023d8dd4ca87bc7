import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerSetup } from '../protocol.ts';
import { useKeyObjects } from './key-objects.ts';
import { silenceConsole } from './silent-console.ts';

// The entry of a worker thread: it holds WhatsApp connections of many numbers (worker-thread.ts starts it).

silenceConsole();
useKeyObjects();
// Loaded only now, so that nothing of it ever had a console.
const { serveLinks } = await import('./thread.ts');
if (parentPort === null) throw new Error('this file is started as a worker thread');
serveLinks(parentPort, workerData as WorkerSetup);
