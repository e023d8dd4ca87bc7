import { fileURLToPath } from 'node:url';
import staticFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { isSampleName, samplesFolder } from '../../samples/index.ts';

/** GET /samples/{name}: the files that the examples send. They need no key, change only with a release, and there are no others. */
export function sampleRoutes(server: FastifyInstance): void {
  server.register(async (scope) => {
    await scope.register(staticFiles, { root: fileURLToPath(samplesFolder), serve: false });
    scope.get<{ Params: { name: string } }>('/samples/:name', (request, reply) => {
      const { name } = request.params;
      if (!isSampleName(name)) return reply.callNotFound();
      return reply
        .header('x-content-type-options', 'nosniff')
        .header('access-control-allow-origin', '*')
        .sendFile(name, { maxAge: '1d', acceptRanges: true, etag: true });
    });
  });
}
