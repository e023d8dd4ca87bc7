import type { Brand } from '../../branding/index.ts';

/** GET /portal/api/brand: what the host of the request shows to everybody, from a cache for a minute; nulls for a host without a brand. `logo`: the path of a PNG. */
export type BrandView = Pick<Brand, 'name' | 'colour' | 'logo'>;

/**
 * GET and PATCH /portal/api/operator/providers/{id}/brand: for operators, and for the provider's admins all but `base_address` and
 * `base_confirmed`. PATCH takes these fields, each optional, and null for none; PUT {picture} /…/brand/logo (a PNG, JPEG or WebP, base64, at most
 * 512 KB) and DELETE set and remove the logo.
 */
export interface ProviderBrand extends Brand {
  readonly provider_name: string;
}
