import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { strToU8, type Zippable, zipSync } from 'fflate';
import { GatewayError, programFile } from '../core/index.ts';
import { portalAddress } from './brand-of.ts';
import { isOwn } from './origin.ts';
import { boundClient } from './person.ts';
import type { PortalOptions } from './portal-options.ts';

/** Where `start.js` names the portal it serves. */
const unbound = 'const own = null;';

/**
 * GET /portal/passkey-extension.zip: the browser extension, for this portal alone. The page that offers it names its own address as `portal`,
 * since a proxy in front may not report that browsers come by https.
 */
export function passkeyExtensionRoute(scope: FastifyInstance, options: Pick<PortalOptions, 'publicUrl' | 'limiter'>): void {
  scope.get<{ Querystring: { portal?: unknown } }>('/portal/passkey-extension.zip', async (request, reply) => {
    await boundClient(options, request, reply);
    const { portal = portalAddress(options, request) } = request.query;
    const origin = typeof portal === 'string' && URL.canParse(portal) ? new URL(portal).origin : null;
    // One that served another site would hand a passkey's answer to it.
    if (origin === null || !isOwn(origin, request, options.publicUrl))
      throw new GatewayError('invalid_request', 'portal must be the address of this portal.', { field: 'portal' });
    return reply
      .header('cache-control', 'no-store')
      .type('application/zip')
      .send(Buffer.from(extensionFor(origin)));
  });
}

/** The zip; the same bytes for the same portal and version. */
function extensionFor(origin: string): Uint8Array {
  const source = (name: string) => readFileSync(programFile(`extension/${name}`), 'utf8');
  const manifest = JSON.parse(source('manifest.json'));
  // Extensions for several portals can be distinguished; Firefox replaces one by another of the same id.
  manifest.name = `${manifest.name} (${new URL(origin).host})`;
  manifest.browser_specific_settings.gecko.id = `passkeys-${hash('sha256', origin).slice(0, 16)}@messaging-gateway.invalid`;
  const start = source('start.js').replace(unbound, () => `const own = ${JSON.stringify(origin)};`);
  const texts = { 'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`, 'sign.js': source('sign.js'), 'start.js': start };
  const files: Zippable = {};
  for (const [name, text] of Object.entries(texts)) files[`messaging-gateway-passkey/${name}`] = [strToU8(text), { mtime: '1980-01-01' }];
  return zipSync(files, { level: 9 });
}
