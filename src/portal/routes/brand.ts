import type { FastifyInstance } from 'fastify';
import { logoOf } from '../../branding/index.ts';
import { succeed } from '../../http/index.ts';
import { brandView } from '../brand-of.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere } from '../reach.ts';
import type { BrandView } from '../wire/index.ts';

const nothing: BrandView = { name: null, colour: null, logo: null };

/** GET /portal/api/brand and /portal/brand/{logo}: for everybody, also before a sign-in. */
export function brandRoutes(server: FastifyInstance, { brands, store }: PortalOptions): void {
  server.get('/portal/api/brand', async (request, reply) => {
    reply.header('cache-control', 'public, max-age=60').header('vary', 'host');
    return succeed(request, reply, brandView(await brands.ofHost(request.host)) ?? nothing);
  });

  server.get<{ Params: { file: string } }>('/portal/brand/:file', async (request, reply) => {
    const [, digest] = /^([0-9a-f]{64})\.png$/.exec(request.params.file) ?? [];
    const png = digest === undefined ? null : await logoOf(store, digest);
    if (png === null) throw notThere('logo');
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'")
      .send(png);
  });
}
