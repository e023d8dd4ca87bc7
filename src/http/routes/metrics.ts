import type { FastifyInstance } from 'fastify';

/** What a request for metrics is answered with; `authorization` is its header. */
export type MetricsPage = (authorization: string | undefined) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}>;

/** GET /metrics, which has a token of its own and is neither in the envelope nor in the API's description. */
export function metricsRoute(server: FastifyInstance, page: MetricsPage): void {
  server.get('/metrics', async (request, reply) => {
    const { status, headers, body } = await page(request.headers.authorization);
    return reply.status(status).headers(headers).send(body);
  });
}
