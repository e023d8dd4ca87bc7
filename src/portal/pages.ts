import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import staticFiles from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { Brand } from '../branding/index.ts';
import { OperatorError, programFile } from '../core/index.ts';
import { escapeHtml, pageHeaders } from '../http/index.ts';
import { brandView } from './brand-of.ts';
import { pagePaths } from './page-paths.ts';
import { passkeyExtensionRoute } from './passkey-extension.ts';
import type { PortalOptions } from './portal-options.ts';

const root = fileURLToPath(programFile('web'));
const usualDocument = 'index.html';

/** The document of a page: those that are opened first name their own scripts too, so that these need not wait for each other. */
function documentOf({ routeOptions: { url = '' }, headers: { cookie } }: FastifyRequest): string {
  if (url === '/sign-in') return 'sign-in.html';
  // Whoever brings no cookie is led to the sign-in.
  if (url === '/') return cookie === undefined ? 'sign-in.html' : 'home.html';
  return isOfOperators(url) && cookie !== undefined ? 'operator.html' : usualDocument;
}

const isOfOperators = (url: string) => url.startsWith('/operator/');

/** The portal's pages and their files, which come from this server alone. */
export function pages(server: FastifyInstance, options: Pick<PortalOptions, 'publicUrl' | 'brands' | 'limiter'>): void {
  const { publicUrl, brands } = options;
  // In a scope of its own, so that only pages and their files get a page's security headers.
  server.register(async (scope) => {
    if (!existsSync(join(root, usualDocument))) throw new OperatorError('the pages of the portal are not built; run npm run build');
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
    passkeyExtensionRoute(scope, options);
    for (const path of pagePaths) {
      scope.get(path, async (request, reply) => {
        reply.header('cache-control', 'no-cache');
        const brand = await brands.ofHost(request.host);
        const file = documentOf(request);
        if (path === '/' || isOfOperators(path)) reply.header('vary', 'cookie');
        if (brand === null) return reply.sendFile(file, root, { maxAge: 0, immutable: false, cacheControl: false });
        return reply.type('text/html; charset=utf-8').send(brandedPage(await readFile(join(root, file), 'utf8'), brand));
      });
    }
  });
}

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
      const html = await readFile(join(root, usualDocument), 'utf8');
      return reply
        .code(404)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('vary', 'accept')
        .send(brand === null ? html : brandedPage(html, brand));
    });
  });
}

/** Browsers name HTML when a person goes to an address; a program that takes anything names no type. */
function asksForPage({ headers, url }: FastifyRequest): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '') && !forPrograms.test(url);
}

/** Has browsers that came by HTTPS come no other way. */
function sendHttpsOnly(scope: FastifyInstance, publicUrl: string | null): void {
  const byHttps = publicUrl?.startsWith('https:') === true;
  scope.addHook('onRequest', async (request, reply) => {
    if (byHttps || request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
  });
}

/**
 * The portal's document as a provider's customers see it before anything is loaded: its name, its icon, its colour, and the brand as data for
 * the pages, so that they need not ask. Nothing in it is script.
 */
function brandedPage(html: string, brand: Brand): string {
  const view = brandView(brand);
  if (view === null) return html;
  const { name, logo, colour } = view;
  const meta = `<meta name="brand" content="${escapeHtml(JSON.stringify(view))}" />`;
  let page = html.replace('</title>', () => `</title>\n    ${meta}`);
  // By functions: a name may hold what a replacement text takes for a pattern.
  const show = (part: RegExp, value: string | null, shown: (value: string) => string) => {
    if (value !== null) page = page.replace(part, () => shown(escapeHtml(value)));
  };
  show(/<title>[^<]*/, name, (shown) => `<title>${shown}`);
  show(/<span>Messaging Gateway/, name, (shown) => `<span>${shown}`);
  show(/<link rel="icon"[^>]*>/, logo, (path) => `<link rel="icon" href="${path}" type="image/png" />`);
  show(/<img src="[^"]*"/, logo, (path) => `<img src="${path}"`);
  show(/class="shell"/, colour, (code) => `class="shell" style="--accent: ${code}"`);
  return page;
}
