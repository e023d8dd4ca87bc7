import { gzipSync } from 'node:zlib';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Brand, Brands } from '../../../branding/index.ts';
import { jsonType } from '../../envelope.ts';
import { pageHeaders } from '../../page-headers.ts';
import { etagOf, type GzippedFile, sendGzipped } from '../send-gzipped.ts';
import { tryPage } from '../try-page.ts';
import { escapeHtml } from './html.ts';
import { type PageOptions, renderPage } from './render.ts';
import { script } from './script.ts';
import { searchIndex } from './search-index.ts';
import { style } from './style.ts';

/**
 * GET /docs: the API reference for people. It needs no key, and nothing but this server. It is made at the first request, so that a start
 * costs nothing for it. To be called before the routes are registered.
 */
export function docsPage(server: FastifyInstance, options: PageOptions & { readonly brands: Pick<Brands, 'ofHost'> }): void {
  // In a scope of its own, so that only the pages and their files get a page's security headers.
  server.register(async (scope) => {
    await scope.register(helmet, pageHeaders({ fontSrc: ["'self'", 'data:'] }));

    const html = once(() => renderPage(options));
    const page = once(() => gzippedFile(htmlType, html()));
    const branded = new LRUCache<string, GzippedFile>({ max: 20 });
    scope.get('/docs', async (request, reply) => {
      const brand = await options.brands.ofHost(request.host);
      if (brand === null) return sendGzipped(request, reply, page());
      const name = JSON.stringify([brand.name, brand.logo]);
      const file = branded.get(name) ?? gzippedFile(htmlType, brandedDocs(html(), brand));
      branded.set(name, file);
      return sendGzipped(request, reply, file);
    });
    const files: Readonly<Record<string, () => GzippedFile>> = {
      '/docs/page.css': once(() => gzippedFile('text/css; charset=utf-8', style)),
      '/docs/page.js': once(() => gzippedFile('text/javascript; charset=utf-8', script)),
      '/docs/search.json': once(() => gzippedFile(jsonType, JSON.stringify(searchIndex(options)))),
    };
    for (const [path, file] of Object.entries(files)) scope.get(path, (request, reply) => sendGzipped(request, reply, file()));
    scope.get('/docs/', (_request, reply) => reply.redirect('../docs', 308));
    tryPage(scope);
  });
}

const htmlType = 'text/html; charset=utf-8';

function gzippedFile(type: string, content: string): GzippedFile {
  const gzipped = gzipSync(content, { level: 9 });
  return { type, gzipped, etag: etagOf(gzipped) };
}

/** What this makes, made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** The docs page under a provider's name and icon. */
function brandedDocs(html: string, brand: Brand | null): string {
  if (brand === null) return html;
  const { name, logo } = brand;
  // By functions: a name may hold what a replacement text takes for a pattern. Addresses are relative, as all of the page's.
  return html
    .replace(/<title>[^<]*<\/title>/, (before) => (name === null ? before : `<title>${escapeHtml(name)} API</title>`))
    .replace(/<link rel="icon"[^>]*>/, (before) =>
      logo === null ? before : `<link rel="icon" href="portal/brand/${logo}.png" type="image/png">`,
    );
}
