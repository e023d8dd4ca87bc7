import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const requestId = '01936a61-03d4-7e55-8a90-6b1c2d3e4f50';

export interface Asked {
  readonly key: string;
  readonly apikey: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Script {
  /** How many requests a second may be made. */
  readonly limit?: number;
  /** Status and code of the refusal for a recipient; null sends. */
  readonly refuse?: (to: string) => readonly [number, string] | null;
  /** Whose answer comes when those of later requests have. */
  readonly late?: string;
  /** How many requests must be there before any of them is answered. */
  readonly together?: number;
}

export interface ScriptedGateway {
  readonly address: string;
  readonly asked: readonly Asked[];
  /** How many requests were there at once, at most. */
  most(): number;
  close(): Promise<void>;
}

/** A gateway that is only answers: what is left of its limit, and a refusal for some recipients. */
export async function startScriptedGateway({ limit = 1000, refuse = () => null, late, together }: Script = {}): Promise<ScriptedGateway> {
  const asked: Asked[] = [];
  const held: (() => void)[] = [];
  let used = 0;
  let most = 0;
  let now = 0;
  const server = createServer((request, response) => {
    now += 1;
    most = Math.max(most, now);
    response.once('close', () => (now -= 1));
    void (async () => {
      const body = (await json(request)) as Record<string, unknown>;
      asked.push({ key: String(request.headers['idempotency-key']), apikey: String(request.headers.apikey), body });
      used += 1;
      // One second later the window is empty again.
      if (used >= limit) setTimeout(() => (used = 0), 900);
      const left = String(Math.max(0, limit - used));
      response.setHeaders(new Map([...Object.entries(scope), ['x-ratelimit-limit', String(limit)], ['x-ratelimit-remaining', left]]));
      const refused = used > limit ? ([429, 'rate_limit_exceeded'] as const) : refuse(String(body.to));
      // So that others come meanwhile.
      await new Promise<void>((resolve) => {
        if (together === undefined) {
          setTimeout(resolve, body.to === late ? 300 : 20);
          return;
        }
        held.push(resolve);
        if (held.length >= together) for (const go of held.splice(0)) go();
      });
      if (refused !== null) answer(response, refused[0], { success: false, error: { code: refused[1], message: 'No.' } });
      else answer(response, 200, { success: true, data: { to: body.to, message_id: 'A' } });
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    most: () => most,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const scope = { 'x-ratelimit-scope': 'messages', 'x-ratelimit-reset': '1', 'idempotency-replayed': 'false' };

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ ...body, request_id: requestId }));
}
