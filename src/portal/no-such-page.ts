import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { programFile } from '../core/index.ts';
import { pageHeaders } from '../http/index.ts';
import { brandedPage } from './branded-page.ts';
import { sendHttpsOnly } from './https-only.ts';
import type { PortalOptions } from './portal-options.ts';

const page = join(fileURLToPath(programFile('web')), 'index.html');
/** What is there for programs: a mistyped address among these is answered in the API's envelope, also in a browser. */
const forPrograms = /^\/(v1|sandbox|portal|assets|docs|health|metrics|openapi\.json)(?:[/?]|$)/i;

/** The portal's page for an address that does not exist, with status 404, for browsers. Other callers get `not_found` in the envelope. */
export function noSuchPage(server: FastifyInstance, { publicUrl, brands }: Pick<PortalOptions, 'publicUrl' | 'brands'>): void {
  server.register(async (scope) => {
    // Before the page's own headers, which the envelope does not have.
    scope.addHook('onRequest', (request, reply, done) => {
      if (asksForPage(request)) done();
      else reply.callNotFound();
    });
    await scope.register(helmet, pageHeaders({ formAction: ["'self'"] }));
    sendHttpsOnly(scope, publicUrl);
    scope.get('/*', async (request, reply) => {
      const brand = await brands.ofHost(request.host);
      const html = await readFile(page, 'utf8');
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('vary', 'accept')
        .send(brand === null ? html : brandedPage(html, brand));
    });
  });
}

/** Browsers name HTML when a person goes to an address; a program that takes anything says only that. */
function asksForPage({ headers, url }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '') && !forPrograms.test(url);
}
