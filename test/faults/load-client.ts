import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';

/** An answer with its body parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they are about to assert
  readonly body: any;
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A customer's program: a few kept-alive connections, no retries of its own. */
export interface LoadClient {
  /** Rejects when the connection ended without an answer. */
  call(call: Call): Promise<Answer>;
  close(): Promise<void>;
}

/** Connects to a gateway as a customer's program would. */
export function createLoadClient(address: string, connections = 16): LoadClient {
  const pool = new Pool(address, { connections, pipelining: 1, headersTimeout: 120_000, bodyTimeout: 120_000 });
  return {
    async call({ method = 'POST', path, key, body, headers = {} }) {
      const response = await pool.request({
        method,
        path,
        headers: {
          ...(key === undefined ? {} : { apikey: key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.body.text();
      try {
        return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) };
      } catch {
        throw new Error(`the answer was ${response.statusCode} and no JSON: ${text.slice(0, 200)}`);
      }
    },
    close: () => pool.destroy(),
  };
}

/** Does the work of a list with so many workers at a time; ends early when a worker says so by returning `stop`. */
export async function workOff<Item>(
  items: Iterable<Item>,
  workers: number,
  work: (item: Item) => Promise<'stop' | undefined>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let stopped = false;
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let item = rest.next(); !stopped && item.done !== true; item = rest.next()) {
        if ((await work(item.value)) === 'stop') stopped = true;
      }
    }),
  );
}

/** Has so many senders ask without pause while the fault happens; resolves when the last of them has its answer. */
export async function underLoad<Send>(
  sends: Iterable<Send>,
  { senders, ask, fault }: { senders: number; ask: (send: Send) => Promise<unknown>; fault: () => Promise<void> },
): Promise<void> {
  let running = true;
  const working = workOff(sends, senders, async (send) => {
    await ask(send);
    return running ? undefined : 'stop';
  });
  await sleep(500);
  await fault();
  await sleep(500);
  running = false;
  await working;
}
