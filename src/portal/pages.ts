import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import staticFiles from '@fastify/static';
import type { FastifyError, FastifyInstance } from 'fastify';
import { OperatorError, programFile } from '../core/index.ts';
import { pageHeaders } from '../http/index.ts';
import { brandedPage } from './branded-page.ts';
import { sendHttpsOnly } from './https-only.ts';
import { pagePaths } from './page-paths.ts';
import { passkeyExtensionRoute } from './passkey-extension.ts';
import type { PortalOptions } from './portal-options.ts';

const root = fileURLToPath(programFile('web'));

/** The portal's pages and their files, which come from this server alone. */
export function pages(server: FastifyInstance, { publicUrl, brands }: Pick<PortalOptions, 'publicUrl' | 'brands'>): void {
  // In a scope of its own, so that only pages and their files get a page's security headers.
  server.register(async (scope) => {
    if (!existsSync(join(root, 'index.html'))) throw new OperatorError('the pages of the portal are not built; run npm run build');
    await scope.register(
      helmet,
      pageHeaders({ imgSrc: ["'self'", 'data:', 'blob:'], mediaSrc: ["'self'", 'blob:'], formAction: ["'self'"] }),
    );
    sendHttpsOnly(scope, publicUrl);
    // The library refuses paths that lead nowhere or out of the folder with errors of its own.
    scope.setErrorHandler((error: FastifyError, _request, reply) => {
      if (error.statusCode === undefined || error.statusCode >= 500) throw error;
      reply.callNotFound();
    });
    await scope.register(staticFiles, {
      root: join(root, 'assets'),
      prefix: '/assets/',
      // Their names hold a hash of what they are.
      immutable: true,
      maxAge: '365d',
      preCompressed: true,
      index: false,
      acceptRanges: false,
      // One route for all: with one for each file, routes alone took as much memory as the rest of the program.
      wildcard: true,
      decorateReply: true,
    });
    passkeyExtensionRoute(scope, { publicUrl });
    for (const path of pagePaths) {
      scope.get(path, async (request, reply) => {
        reply.header('cache-control', 'no-cache');
        const brand = await brands.ofHost(request.host);
        if (brand === null) return reply.sendFile('index.html', root, { maxAge: 0, immutable: false, cacheControl: false });
        return reply.type('text/html; charset=utf-8').send(brandedPage(await readFile(join(root, 'index.html'), 'utf8'), brand));
      });
    }
  });
}
