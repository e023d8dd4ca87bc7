/** GET /portal/api/brand: what the host of the request shows to everybody, from a cache for a minute; nulls for a host without a brand. */
export interface BrandView {
  /** Instead of the gateway's own name. */
  readonly name: string | null;
  /** #rrggbb. */
  readonly colour: string | null;
  /** The path of a PNG. */
  readonly logo: string | null;
}

/**
 * GET and PATCH /portal/api/operator/providers/{id}/brand: for operators, and for the provider's admins all but `base_address` and
 * `base_confirmed`. PATCH takes these fields, each optional, and null for none; PUT {picture} /…/brand/logo (a PNG, JPEG or WebP, base64, at most
 * 512 KB) and DELETE set and remove the logo.
 */
export interface ProviderBrand extends BrandView {
  readonly provider_id: string;
  readonly provider_name: string;
  readonly sender_name: string | null;
  readonly reply_to: string | null;
  readonly mail_intro: string | null;
  readonly mail_footer: string | null;
  /** Scheme and host alone. */
  readonly base_address: string | null;
  /** Whether an operator has confirmed that the address leads here. Until then it counts for nothing. */
  readonly base_confirmed: boolean;
}
