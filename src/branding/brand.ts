import type { MailText } from '../people/index.ts';
import type { BrandRow } from './queries.ts';

/** How a provider shows itself to its customers, as it is stored and shown. A null field is as without a brand. */
export interface Brand extends Readonly<Omit<BrandRow, 'logo_digest' | 'base_host' | 'base_confirmed_at'>> {
  /** SHA-256 of its logo, hex; the logo is a PNG. */
  readonly logo: string | null;
  /** Whether an operator has confirmed that `base_address` leads here; until then it counts for nothing. */
  readonly base_confirmed: boolean;
}

/** The provider's own address if it is confirmed; null: the gateway's. */
export function ownAddress(brand: Brand | null): string | null {
  return brand?.base_confirmed === true ? brand.base_address : null;
}

export interface BrandedMail extends MailText {
  readonly senderName?: string;
  readonly replyTo?: string;
}

/** The mail as the provider's customers get it: between its own texts, under its name. */
export function brandedMail({ subject, text }: MailText, brand: Brand | null): BrandedMail {
  if (brand === null) return { subject, text };
  const { mail_intro, mail_footer, reply_to: replyTo } = brand;
  const senderName = brand.sender_name ?? brand.name;
  return {
    subject,
    text: [mail_intro, text.trimEnd(), mail_footer]
      .filter((part) => part !== null)
      .join('\n\n')
      .concat('\n'),
    ...(senderName === null ? {} : { senderName }),
    ...(replyTo === null ? {} : { replyTo }),
  };
}

export function serviceOf(brand: Brand | null): { readonly service?: string } {
  return brand === null || brand.name === null ? {} : { service: brand.name };
}
