import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { programFile } from '../../core/index.ts';
import { exampleInstanceId } from './examples.ts';
import { etagOf, sendGzipped } from './send-gzipped.ts';

/** What the page is made of. Addresses are relative, so that it also works under a path prefix of a proxy. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try the Messaging Gateway API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript. Everything it shows is also on <a href="../docs">the API reference</a>.</noscript>
<div id="app"></div>
<script src="scalar.js"></script>
<script type="module" src="start.js"></script>
</body>
</html>
`;

/** Starts Scalar. A file of its own, because the page allows no inline scripts. */
const start = `const ask = (path, headers = {}) =>
  fetch(new URL(path, document.baseURI), { headers }).then((response) => (response.ok ? response.text() : null), () => null);

// A reader who is signed in at the portal finds their own number and the beginning of their own key in the examples.
async function ownExamples() {
  const account = sessionStorage.getItem('acting-account');
  const answer = await ask('../portal/api/docs-examples', account === null ? {} : { 'x-account-id': account });
  return answer === null ? {} : JSON.parse(answer).data;
}

const [content, own] = await Promise.all([ask('../openapi.json'), ownExamples()]);
Scalar.createApiReference('#app', {
  ...(content === null
    ? { url: new URL('../openapi.json', document.baseURI).href }
    : { content: own.instance_id ? content.replaceAll('${exampleInstanceId}', own.instance_id) : content }),
  // Requests are tried on the server that shows the page, whatever address the document names.
  servers: [{ url: new URL('..', document.baseURI).href.replace(/\\/$/, '') }],
  authentication: {
    preferredSecurityScheme: 'apikey',
    ...(own.key_prefix ? { securitySchemes: { apikey: { value: own.key_prefix + '_…' } } } : {}),
  },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  documentDownloadType: 'direct',
  orderSchemaPropertiesBy: 'preserve',
  modelsSectionLabel: 'Schemas',
  hideClientButton: true,
  persistAuth: false,
  // Nothing from elsewhere: no fonts, no telemetry, no assistant, no services of the maker.
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})
`;

/**
 * GET /docs/try: Scalar's client, to send requests from the browser. It is a megabyte of script, so readers get it only when they ask for it.
 * Its security headers are the scope's.
 */
export function tryPage(scope: FastifyInstance): void {
  scope.get('/docs/try', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  scope.get('/docs/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start));
  scope.get('/docs/scalar.js', async (request, reply) => {
    const gzipped = await readFile(programFile('scalar.js.gz'));
    return sendGzipped(request, reply, { type: 'text/javascript; charset=utf-8', gzipped, etag: etagOf(gzipped) });
  });
}
