import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { ServerProcess } from './server-process.ts';

/** What a gateway process is started with so that `crashWorker` can reach its threads. */
export const inspectable = ['--inspect=127.0.0.1:0'];

/** Makes the thread that holds the WhatsApp connections of this process throw where nobody catches it. Resolves with how many there were. */
export async function crashWorker(server: ServerProcess): Promise<number> {
  const address = /Debugger listening on (ws:\S+)/.exec(server.stderr())?.[1];
  if (address === undefined) throw new Error('the process was not started inspectable');
  const socket = new WebSocket(address);
  try {
    await once(socket, 'open', { signal: AbortSignal.timeout(5_000) });
    const ask = (id: number, method: string, params: object) => socket.send(JSON.stringify({ id, method, params }));
    let threads = 0;
    const { promise: enabled, resolve } = Promise.withResolvers<void>();
    socket.on('message', (data) => {
      const { id, method, params } = JSON.parse(String(data));
      // Existing threads are told of before the answer.
      if (id === 1) resolve();
      if (method !== 'NodeWorker.attachedToWorker' || !String(params.workerInfo.url).includes('/whatsapp/worker/')) return;
      threads++;
      const expression = "setTimeout(() => { throw new Error('crashed on purpose'); })";
      const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } });
      ask(1 + threads, 'NodeWorker.sendMessageToWorker', { sessionId: params.sessionId, message });
    });
    socket.on('close', resolve);
    const timer = setTimeout(resolve, 5_000);
    ask(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false });
    await enabled;
    clearTimeout(timer);
    return threads;
  } finally {
    socket.close();
  }
}
