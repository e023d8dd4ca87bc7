import type { MailText } from '../people/index.ts';
import type { Brand } from './brand.ts';

/** A mail with who it is from. */
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

/** What a mail calls the service; nothing where no brand names it. */
export function serviceOf(brand: Brand | null): { readonly service?: string } {
  return brand === null || brand.name === null ? {} : { service: brand.name };
}
