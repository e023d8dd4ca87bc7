import type { FastifyRequest } from 'fastify';
import { type Brand, ownAddress } from '../branding/index.ts';
import { ownAddress as addressOf } from '../http/index.ts';
import type { PortalOptions } from './portal-options.ts';
import { reachOf } from './reach.ts';
import type { BrandView } from './wire/brand.ts';

type Options = Pick<PortalOptions, 'brands' | 'store' | 'publicUrl'>;

/** What the signed-in person's pages show: the brand of the account's provider, or of the only one they run, whatever host they came by. */
export async function brandOfVisitor(options: Options, { visitor }: FastifyRequest): Promise<Brand | null> {
  if (visitor.acting !== null) return options.brands.ofProvider(visitor.acting.account.provider_id);
  const { providerIds } = reachOf(visitor);
  const [only, ...more] = providerIds ?? [];
  return only === undefined || more.length > 0 ? null : options.brands.ofProvider(only);
}

/** What links begin with: the provider's own confirmed address, else the gateway's. A Host header alone never decides where a mail leads. */
export function linksBegin(options: Options, request: FastifyRequest, brand: Brand | null): string {
  return ownAddress(brand) ?? portalAddress(options, request);
}

/** A brand as pages need it; null: there is nothing to show. */
export function brandView(brand: Brand | null): BrandView | null {
  if (brand === null || (brand.name === null && brand.colour === null && brand.logo === null)) return null;
  return { name: brand.name, colour: brand.colour, logo: brand.logo === null ? null : logoPath(brand.logo) };
}

/** Where a logo is served. What it shows never changes under an address. */
export function logoPath(digest: string): string {
  return `/portal/brand/${digest}.png`;
}

/** Where browsers reach the portal: by the settings, else as this request did. */
export function portalAddress({ publicUrl }: Pick<PortalOptions, 'publicUrl'>, request: FastifyRequest): string {
  return addressOf(request, publicUrl);
}

export function linkAddress(portal: string, token: string): string {
  return `${portal}/link/${token}`;
}
