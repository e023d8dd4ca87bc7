import type { FastifyInstance } from 'fastify';
import { type Brand, type Brands, ownAddress as brandAddress } from '../branding/index.ts';
import { samplesAt } from '../samples/index.ts';
import { type ApiInfo, buildDocument, type DocumentedRoute, type DocumentOptions } from './docs/document.ts';
import { jsonType } from './envelope.ts';
import { ownAddress } from './request.ts';

interface OpenapiOptions extends DocumentOptions {
  readonly publicUrl: string | null;
  readonly brands: Pick<Brands, 'ofHost'>;
}

/**
 * GET /openapi.json: the description of every route that carries docs. Call it before the routes are registered.
 * The document is built at the first request, so that a start costs nothing for it. Returns the list of these routes, which fills up.
 */
export function openapiRoute(server: FastifyInstance, { publicUrl, brands, ...options }: OpenapiOptions): readonly DocumentedRoute[] {
  const routes: DocumentedRoute[] = [];
  server.addHook('onRoute', ({ method, url, schema }) => {
    // What goes without saying: every GET has one.
    if (method === 'HEAD') return;
    if (schema?.docs === undefined || schema.data === undefined) return;
    for (const one of Array.isArray(method) ? method : [method])
      routes.push({ method: one, url, schema, docs: schema.docs, data: schema.data });
  });

  let built: { readonly info: ApiInfo; readonly rest: string } | null = null;
  server.get('/openapi.json', async (request, reply) => {
    if (built === null) {
      const { info, ...rest } = buildDocument(routes, options);
      built = { info, rest: JSON.stringify(rest).slice(1) };
    }
    const brand = await brands.ofHost(request.host);
    const url = brandAddress(brand) ?? ownAddress(request, publicUrl);
    const info = JSON.stringify(brandedInfo(built.info, brand));
    return reply.type(jsonType).send(`{"servers":${JSON.stringify([{ url }])},"info":${info},${samplesAt(built.rest, url)}`);
  });
  return routes;
}

/** The document's `info` at a provider's own address. */
function brandedInfo(info: ApiInfo, brand: Brand | null): ApiInfo & { readonly contact?: Readonly<Record<string, string>> } {
  if (brand === null || brand.name === null) return info;
  const address = brandAddress(brand);
  const contact = {
    name: brand.name,
    ...(address === null ? {} : { url: address }),
    ...(brand.reply_to === null ? {} : { email: brand.reply_to }),
  };
  return { ...info, title: `${brand.name} API`, contact };
}
