import { z } from 'zod';
import { defineKind } from './define-kind.ts';
import { list, phoneNumber, text } from './fields.ts';

/**
 * Something, an at-sign, a domain containing a dot, no spaces. The parts exclude their own separators, so matching is linear. No control
 * characters, as ranges for readers of the JSON Schema: a card cannot hold them, and without them it is another address.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here.
const emailPattern = /^[^\s@\u0000-\u001f\u007f-\u009f]+@[^\s@.\u0000-\u001f\u007f-\u009f]+(?:\.[^\s@.\u0000-\u001f\u007f-\u009f]+)+$/;

/** A scheme and a host written out, so that the lenient URL parser cannot read one into a bare domain. */
const fullLinkPattern = /^https?:\/\/[^\s/\\?#\p{Cc}][^\s\p{Cc}]*$/iu;

/** The link as the URL parser writes it; null when it is none, or carries a user name or password. */
function fullLink(value: string): string | null {
  // The parser would put another character in the place of half a surrogate pair.
  const link = value.isWellFormed() && fullLinkPattern.test(value) ? URL.parse(value) : null;
  return link === null || link.username !== '' || link.password !== '' ? null : link.href;
}

// The contract gives no lengths for cards; these are what phones show and what mail and browsers accept.
const card = z.object({
  full_name: text(1, 255).meta({ description: "The contact's full name." }),
  phone_number: phoneNumber(10),
  organization: text(0, 255).optional().meta({ description: 'Their company or organisation.' }),
  email: text(0, 254)
    .regex(emailPattern, { error: 'must be an email address such as name@example.com' })
    .optional()
    .meta({ description: 'An email address, such as name@example.com.' }),
  url: text(1, 2048)
    .refine((value) => fullLink(value) !== null, { error: 'must be a full http(s) link without a user name or password' })
    // In the parser's spelling: phones may read another one as another address.
    .transform((value) => fullLink(value) ?? value)
    .optional()
    .meta({ format: 'uri', description: 'A full link starting with http:// or https://, without a user name or password.' }),
});

/** One or more contact cards. */
export const contact = defineKind({
  type: 'contact',
  summary: 'Send contact cards',
  description: 'One to ten cards that the recipient can save. Phone numbers are sent in international format.',
  fields: { contacts: list(card, 1, 10).meta({ description: 'The cards, 1 to 10.' }) },
  examples: {
    single: { contacts: [{ full_name: 'Ada Lovelace', phone_number: '+44 20 7946 0958' }] },
    complete: {
      contacts: [
        {
          full_name: 'Support Desk',
          phone_number: '+49 (30) 901820-00',
          organization: 'Example GmbH',
          email: 'support@example.com',
          url: 'https://example.com/support',
        },
        { full_name: 'Emergency Line', phone_number: '4930901820112' },
      ],
    },
  },
});
