import type { MailText } from '../people/index.ts';

/** How a provider shows itself to its customers. A null field is as without a brand. */
export interface Brand {
  readonly providerId: string;
  /** Stands where the gateway's own name does. */
  readonly name: string | null;
  /** #rrggbb, in lower case. */
  readonly colour: string | null;
  /** SHA-256 of its logo, hex; the logo is a PNG. */
  readonly logo: string | null;
  /** Before the address that mails come from. */
  readonly senderName: string | null;
  /** Where answers to mails go. */
  readonly replyTo: string | null;
  /** Plain text at the beginning of mails, and at their end. */
  readonly mailIntro: string | null;
  readonly mailFooter: string | null;
  /** Where its customers reach the gateway: scheme and host, without a slash at the end. */
  readonly baseAddress: string | null;
  /** Whether an operator has confirmed that the address leads here; until then it counts for nothing. */
  readonly baseConfirmed: boolean;
}

/** The provider's own address if it is confirmed; null: the gateway's. */
export function ownAddress(brand: Brand | null): string | null {
  return brand?.baseConfirmed === true ? brand.baseAddress : null;
}

/** A mail with its sender. */
export interface BrandedMail extends MailText {
  readonly senderName?: string;
  readonly replyTo?: string;
}

/** The mail as the provider's customers get it: between its own texts, under its name. */
export function brandedMail({ subject, text }: MailText, brand: Brand | null): BrandedMail {
  if (brand === null) return { subject, text };
  const { mailIntro, mailFooter, replyTo } = brand;
  const senderName = brand.senderName ?? brand.name;
  return {
    subject,
    text: [mailIntro, text.trimEnd(), mailFooter]
      .filter((part) => part !== null)
      .join('\n\n')
      .concat('\n'),
    ...(senderName === null ? {} : { senderName }),
    ...(replyTo === null ? {} : { replyTo }),
  };
}

/** The name of the service in a mail, if the brand has one. */
export function serviceOf(brand: Brand | null): { readonly service?: string } {
  return brand === null || brand.name === null ? {} : { service: brand.name };
}
