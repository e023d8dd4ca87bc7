import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What can become of a request on its way. */
export type Fault =
  /** It does not reach the gateway. */
  | 'cut before'
  /** The gateway has carried it out, and nobody learns of it. */
  | 'cut after'
  | '502 before'
  | '502 after'
  | '503'
  | '429'
  /** A limit of its own, which it says in a page. */
  | '429 of the proxy'
  /** Longer than any call may take. */
  | 'long 429 of the proxy'
  /** No answer at all, although it was carried out. */
  | 'silent';

export interface FaultyProxy {
  readonly address: string;
  /** How often each fault was made. */
  readonly made: Map<Fault, number>;
  close(): Promise<void>;
}

interface ProxyOptions {
  readonly target: string;
  /** The fault of this request; null lets it through. */
  readonly fault: (path: string) => Fault | null;
  readonly onRequest?: () => void;
}

/** Passes requests on to the gateway, and goes wrong with them. */
export async function startFaultyProxy({ target, fault, onRequest }: ProxyOptions): Promise<FaultyProxy> {
  const made = new Map<Fault, number>();
  const server = createServer((incoming, answer) => {
    onRequest?.();
    void handle(incoming, answer).catch(() => cut(answer));
  });

  async function handle(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const kind = fault(incoming.url ?? '');
    if (kind !== null) made.set(kind, (made.get(kind) ?? 0) + 1);
    if (kind === 'cut before') return cut(answer);
    if (kind === '502 before') return page(answer, 502);
    if (kind === '503') return page(answer, 503);
    if (kind === '429') return limited(answer);
    if (kind === '429 of the proxy') return page(answer, 429, { 'retry-after': '1' });
    if (kind === 'long 429 of the proxy') return page(answer, 429, { 'retry-after': '58' });
    const from = await pass(incoming, body);
    if (kind === 'cut after') return cut(answer);
    if (kind === '502 after') return page(answer, 502);
    if (kind === 'silent') return;
    answer.writeHead(from.status, from.headers).end(from.body);
  }

  async function pass({ method, url, headers }: IncomingMessage, body: Buffer) {
    const out = request(target + url, { method: method ?? 'GET', headers, agent: false });
    out.end(body);
    const [from] = (await once(out, 'response')) as [IncomingMessage];
    const { 'transfer-encoding': _, connection: __, ...kept } = from.headers;
    return { status: from.statusCode ?? 502, headers: kept, body: await buffer(from) };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    made,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function cut(answer: ServerResponse): void {
  answer.socket?.destroy();
}

function page(answer: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  answer.writeHead(status, { ...headers, 'content-type': 'text/html' }).end('<h1>Not the gateway</h1>');
}

function limited(answer: ServerResponse): void {
  const error = { code: 'rate_limit_exceeded', message: 'Too many.', details: { retry_after_seconds: 1 } };
  answer
    .writeHead(429, { 'content-type': 'application/json', 'retry-after': '1' })
    .end(JSON.stringify({ success: false, error, request_id: '01936a61-03d4-7e55-8a90-6b1c2d3e4f50' }));
}
