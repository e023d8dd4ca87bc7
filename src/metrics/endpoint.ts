import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { type Log, OperatorError } from '../core/index.ts';
import type { Metrics } from './metrics.ts';

const mostConnections = 20;
const requestMs = 10_000;
const answerMs = 15_000;

interface EndpointOptions {
  readonly host: string;
  readonly port: number;
  readonly page: ReturnType<typeof createMetricsPage>;
  readonly log: Pick<Log, 'error'>;
}

/** Serves GET /metrics, and nothing else, on a port of its own in plain HTTP. Throws OperatorError when it cannot listen. */
export async function openMetricsEndpoint({ host, port, page, log }: EndpointOptions) {
  const server = createServer({ requestTimeout: requestMs, headersTimeout: requestMs }, (request, response) => {
    // The body of a GET, if there is any, is not looked at.
    request.resume();
    if (request.url?.split('?')[0] !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Only GET /metrics is here.\n');
      return;
    }
    page(request.headers.authorization).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      (error: unknown) => {
        log.error({ err: error }, 'the metrics could not be collected');
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = mostConnections;
  // Also ends a client that does not read its answer.
  server.setTimeout(answerMs);
  await listening(server, { host, port });
  server.on('error', (error) => log.error({ err: error }, 'the port for metrics does not work'));
  const bound = server.address();
  const at = typeof bound === 'object' && bound !== null ? bound.port : port;
  return {
    /** Such as `http://127.0.0.1:9464`. */
    address: `http://${isIPv6(host) ? `[${host}]` : host}:${at}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listening(server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  try {
    await Promise.all([once(server, 'listening'), server.listen({ host, port })]);
  } catch (error) {
    const why = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' ? 'it is in use' : String(error);
    throw new OperatorError(`METRICS_PORT ${port} on ${host} cannot be opened: ${why}`);
  }
}

/** Makes what answers a request for metrics; `token` null: anybody may ask. */
export function createMetricsPage(metrics: Pick<Metrics, 'render'>, token: string | null) {
  // Hashes are as long as each other, so that the comparison reveals nothing, not even a length.
  const expected = token === null ? null : hash('sha256', `Bearer ${token}`, 'buffer');
  return async (authorization = ''): Promise<{ status: number; headers: Record<string, string>; body: string }> => {
    if (expected !== null && !timingSafeEqual(hash('sha256', authorization, 'buffer'), expected)) {
      return {
        status: 401,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Bearer' },
        body: 'A token is needed.\n',
      };
    }
    const { contentType, text } = await metrics.render();
    return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body: text };
  };
}
