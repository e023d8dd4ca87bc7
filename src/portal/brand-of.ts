import type { FastifyRequest } from 'fastify';
import { showAccount } from '../accounts/index.ts';
import { type Brand, ownAddress } from '../branding/index.ts';
import type { Place } from '../people/index.ts';
import { portalAddress } from './link-address.ts';
import type { PortalOptions } from './portal-options.ts';
import { reachOf } from './reach.ts';
import type { BrandView } from './wire/index.ts';

type Options = Pick<PortalOptions, 'brands' | 'store' | 'publicUrl'>;

/** What the signed-in person's pages show: the brand of the account's provider, or of the only one they run, whatever host they came by. */
export async function brandOfVisitor(options: Options, { visitor }: FastifyRequest): Promise<Brand | null> {
  if (visitor.acting !== null) return options.brands.ofProvider(visitor.acting.account.provider_id);
  const { providerIds } = reachOf(visitor);
  const [only, ...more] = providerIds ?? [];
  return only === undefined || more.length > 0 ? null : options.brands.ofProvider(only);
}

/** The brand of where a role is held; null for operators. */
export async function brandOfPlace(
  { brands, store }: Options,
  { accountId, providerId }: Pick<Place, 'accountId' | 'providerId'>,
): Promise<Brand | null> {
  const provider = accountId === null ? providerId : (await showAccount(store, accountId)).provider_id;
  return provider === null ? null : brands.ofProvider(provider);
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
