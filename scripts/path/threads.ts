import { Session } from 'node:inspector/promises';

/** A thread of this process, as V8's inspector shows it. */
export interface InspectedThread {
  readonly name: string;
  post(method: string, params?: object): Promise<unknown>;
  /** What it says unasked. */
  on(method: string, listener: (params: Record<string, unknown>) => void): void;
}

type Listener = (params: Record<string, unknown>) => void;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** This thread and the threads of WhatsApp numbers that run now. Others come and go. */
export async function inspectThreads(): Promise<readonly InspectedThread[]> {
  const session = new Session();
  session.connect();
  const workers = new Map<string, (message: Message) => void>();
  const found: InspectedThread[] = [
    {
      name: 'main',
      // biome-ignore lint/suspicious/noExplicitAny: the names of methods are not literals here
      post: (method, params) => (session.post as any)(method, params),
      // biome-ignore lint/suspicious/noExplicitAny: as above
      on: (method, listener) => void session.on(method as any, ({ params }: any) => listener(params)),
    },
  ];
  session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => workers.get(params.sessionId)?.(JSON.parse(params.message)));
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
    if (!workerInfo.url.includes('whatsapp-worker')) return;
    const send = (message: string) => session.post('NodeWorker.sendMessageToWorker', { sessionId, message });
    const worker = workerThread(send);
    workers.set(sessionId, worker.received);
    found.push({ name: 'worker', ...worker.thread });
  });
  await session.post('NodeWorker.enable', { waitForDebuggerOnStart: false });
  return [...found];
}

function workerThread(send: (message: string) => unknown): { received: (message: Message) => void; thread: Omit<InspectedThread, 'name'> } {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners: { readonly method: string; readonly listener: Listener }[] = [];
  let last = 0;
  return {
    received({ id, method, params, result, error }) {
      for (const { listener } of listeners.filter((wanted) => wanted.method === method)) listener(params ?? {});
      if (id === undefined) return;
      if (error === undefined) pending.get(id)?.resolve(result);
      else pending.get(id)?.reject(new Error(error.message));
      pending.delete(id);
    },
    thread: {
      post(method, params = {}) {
        const answer = Promise.withResolvers<unknown>();
        pending.set(++last, answer);
        send(JSON.stringify({ id: last, method, params }));
        return answer.promise;
      },
      on: (method, listener) => void listeners.push({ method, listener }),
    },
  };
}
