import type { FastifyInstance } from 'fastify';

/** Tells browsers that came by HTTPS to come no other way. */
export function sendHttpsOnly(scope: FastifyInstance, publicUrl: string | null): void {
  const byHttps = publicUrl?.startsWith('https:') === true;
  scope.addHook('onRequest', async (request, reply) => {
    if (byHttps || request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
  });
}
