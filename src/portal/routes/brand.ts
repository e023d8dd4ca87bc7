import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type Brand,
  type BrandChanges,
  checkBaseAddress,
  checkBrandName,
  checkColour,
  checkMailPart,
  noBrand,
  selectLogo,
  updateBrand,
} from '../../branding/index.ts';
import { GatewayError } from '../../core/index.ts';
import { succeed } from '../../http/index.ts';
import type { ProviderRow } from '../../store/index.ts';
import { bound } from '../bounds.ts';
import { brandView, logoPath } from '../brand-of.ts';
import { endpoint } from '../endpoint.ts';
import { checkedText, email } from '../fields.ts';
import { actOf, administers } from '../person.ts';
import type { PortalOptions } from '../portal-options.ts';
import { notThere, operatorsAlone, providerInReach } from '../reach.ts';
import type { BrandView, ProviderBrand } from '../wire/brand.ts';

const mostPictureBytes = 512 * 1024;
/** Reading a picture costs a process. */
const logosPerMinute = 10;

const change = z.object({
  name: checkedText(checkBrandName, 'must be a name').nullable().optional(),
  colour: checkedText(checkColour, 'must be a colour', 20).nullable().optional(),
  sender_name: checkedText(checkBrandName, 'must be a name').nullable().optional(),
  reply_to: email.nullable().optional(),
  mail_intro: checkedText(checkMailPart, 'must be plain text', 5000).nullable().optional(),
  mail_footer: checkedText(checkMailPart, 'must be plain text', 5000).nullable().optional(),
  base_address: checkedText(checkBaseAddress, 'must be an address', 500).nullable().optional(),
  base_confirmed: z.boolean().optional(),
});
const upload = z.object({
  picture: z.base64({ error: 'must be base64' }).max(Math.ceil(mostPictureBytes / 3) * 4, { error: 'must have at most 512 KB' }),
});

const nothing: BrandView = { name: null, colour: null, logo: null };

/** GET /portal/api/brand and /portal/brand/{logo}: for everybody, also before a sign-in. */
export function brandRoutes(server: FastifyInstance, { brands, store }: PortalOptions): void {
  server.get('/portal/api/brand', async (request, reply) => {
    reply.header('cache-control', 'public, max-age=60').header('vary', 'host');
    return succeed(request, reply, brandView(await brands.ofHost(request.host)) ?? nothing);
  });

  server.get<{ Params: { file: string } }>('/portal/brand/:file', async (request, reply) => {
    const [, digest] = /^([0-9a-f]{64})\.png$/.exec(request.params.file) ?? [];
    const logo = digest === undefined ? undefined : await selectLogo(store.db, digest);
    if (logo === undefined) throw notThere('logo');
    return reply
      .type('image/png')
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'")
      .send(logo.png);
  });
}

/** /portal/api/operator/providers/{id}/brand: how a provider shows itself; its admins set all but its address. */
export function providerBrandRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, brands, limiter, logos, publicUrl } = options;
  const onRequest = administers(options, { providerAdmins: true });

  endpoint(server, 'GET /portal/api/operator/providers/:id/brand', { onRequest }, async (request) => {
    const provider = await providerInReach(options, request, request.params.id);
    return viewOf(provider, await brands.ofProvider(provider.id));
  });

  endpoint(server, 'PATCH /portal/api/operator/providers/:id/brand', { onRequest, body: change }, async (request) => {
    const provider = await providerInReach(options, request, request.params.id);
    operatorsAlone(request, request.body, ['base_address', 'base_confirmed']);
    return save(request, provider, request.body);
  });

  // Base64 and the JSON around it.
  const ofLogo = { onRequest, body: upload, bodyLimit: 2 * mostPictureBytes };
  endpoint(server, 'PUT /portal/api/operator/providers/:id/brand/logo', ofLogo, async (request, reply) => {
    const provider = await providerInReach(options, request, request.params.id);
    await bound(limiter, reply, { name: `logos of ${request.visitor.userId}`, perMinute: logosPerMinute, scope: 'portal' });
    const logo = await logos.make(Buffer.from(request.body.picture, 'base64'));
    if (logo === null)
      throw new GatewayError('invalid_request', 'picture must be a PNG, JPEG or WebP picture of at most 16 million pixels.', {
        field: 'picture',
      });
    return save(request, provider, { logo });
  });

  endpoint(server, 'DELETE /portal/api/operator/providers/:id/brand/logo', { onRequest }, async (request) =>
    save(request, await providerInReach(options, request, request.params.id), { logo: null }),
  );

  async function save(request: FastifyRequest, provider: ProviderRow, changes: BrandChanges): Promise<ProviderBrand> {
    const brand = await updateBrand(store, provider.id, changes, actOf(request, clock.now()), { ownAddress: publicUrl });
    brands.forget();
    return viewOf(provider, brand);
  }
}

function viewOf({ id, name }: ProviderRow, brand: Brand | null): ProviderBrand {
  const shown = brand ?? noBrand(id);
  return { ...shown, provider_name: name, logo: shown.logo === null ? null : logoPath(shown.logo) };
}
