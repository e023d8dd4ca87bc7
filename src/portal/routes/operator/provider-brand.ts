import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import {
  type Brand,
  type BrandChanges,
  checkBaseAddress,
  checkBrandName,
  checkColour,
  checkMailPart,
  updateBrand,
} from '../../../branding/index.ts';
import { GatewayError } from '../../../core/index.ts';
import { succeed } from '../../../http/index.ts';
import type { ProviderRow } from '../../../store/index.ts';
import { bound } from '../../bounds.ts';
import { logoPath } from '../../brand-of.ts';
import { checkedText, email } from '../../fields.ts';
import { fromOperatorInputLater } from '../../input.ts';
import { actOf, administers } from '../../person.ts';
import type { PortalOptions } from '../../portal-options.ts';
import { providerInReach, reachOf } from '../../reach.ts';
import type { ProviderBrand } from '../../wire/index.ts';

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

interface OfProvider {
  Params: { id: string };
}

/** /portal/api/operator/providers/{id}/brand: how a provider shows itself; its admins set all but its address. */
export function providerBrandRoutes(server: FastifyInstance, options: PortalOptions): void {
  const { store, clock, brands, limiter, logos, publicUrl } = options;
  const onRequest = administers(options, { providerAdmins: true });
  const path = '/portal/api/operator/providers/:id/brand';

  server.get<OfProvider>(path, { onRequest }, async (request, reply) => {
    const provider = await providerInReach(options, request, request.params.id);
    return succeed(request, reply, viewOf(provider, await brands.ofProvider(provider.id)));
  });

  server.patch<OfProvider & { Body: z.output<typeof change> }>(path, { schema: { body: change }, onRequest }, async (request, reply) => {
    const provider = await providerInReach(options, request, request.params.id);
    for (const field of ['base_address', 'base_confirmed'] as const) {
      if (reachOf(request.visitor).providerIds !== null && request.body[field] !== undefined)
        throw new GatewayError('forbidden', `Only an operator may set ${field}.`, { field });
    }
    const { name, colour, sender_name, reply_to, mail_intro, mail_footer, base_address, base_confirmed } = request.body;
    const changes: BrandChanges = {
      name,
      colour,
      senderName: sender_name,
      replyTo: reply_to,
      mailIntro: mail_intro,
      mailFooter: mail_footer,
      baseAddress: base_address,
      baseConfirmed: base_confirmed,
    };
    return succeed(request, reply, await save(request, provider, changes));
  });

  server.put<OfProvider & { Body: z.output<typeof upload> }>(
    `${path}/logo`,
    // Base64 and the JSON around it.
    { schema: { body: upload }, onRequest, bodyLimit: 2 * mostPictureBytes },
    async (request, reply) => {
      const provider = await providerInReach(options, request, request.params.id);
      await bound(limiter, reply, { name: `logos of ${request.visitor.userId}`, perMinute: logosPerMinute, scope: 'portal' });
      const logo = await logos.make(Buffer.from(request.body.picture, 'base64'));
      if (logo === null)
        throw new GatewayError('invalid_request', 'picture must be a PNG, JPEG or WebP picture of at most 16 million pixels.', {
          field: 'picture',
        });
      return succeed(request, reply, await save(request, provider, { logo }));
    },
  );

  server.delete<OfProvider>(`${path}/logo`, { onRequest }, async (request, reply) => {
    const provider = await providerInReach(options, request, request.params.id);
    return succeed(request, reply, await save(request, provider, { logo: null }));
  });

  async function save(request: FastifyRequest, provider: ProviderRow, changes: BrandChanges): Promise<ProviderBrand> {
    const act = actOf(request, clock.now());
    const brand = await fromOperatorInputLater(() => updateBrand(store, provider.id, changes, act, { ownAddress: publicUrl }));
    brands.forget();
    return viewOf(provider, brand);
  }
}

function viewOf({ id, name }: ProviderRow, brand: Brand | null): ProviderBrand {
  return {
    provider_id: id,
    provider_name: name,
    name: brand?.name ?? null,
    colour: brand?.colour ?? null,
    logo: brand === null || brand.logo === null ? null : logoPath(brand.logo),
    sender_name: brand?.senderName ?? null,
    reply_to: brand?.replyTo ?? null,
    mail_intro: brand?.mailIntro ?? null,
    mail_footer: brand?.mailFooter ?? null,
    base_address: brand?.baseAddress ?? null,
    base_confirmed: brand?.baseConfirmed ?? false,
  };
}
