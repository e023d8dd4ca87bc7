/** So many characters of a customer's text are in a mail. */
const longest = 40;
/** What mail programs make links of: addresses with a scheme, of mailboxes, and of servers, whose last part has letters. */
const address = /\S*(?:[\p{L}\p{N}]:\/\/|@|www[.。．])\S*|\S*[\p{L}\p{N}][.。．](?:\p{L}|xn--)[\p{L}\p{N}-]+\S*/giu;

/**
 * A text that a customer chose, as a mail quotes it: on one line, short, in quotation marks and with nothing that could be followed, so that nobody
 * advertises with what the gateway sends.
 */
export function quotedInMail(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]+/gu, '')
    .replace(/[\p{Cc}\s"“”]+/gu, ' ')
    .replace(address, '…')
    .trim();
  const characters = [...plain];
  return `"${characters.length > longest ? `${characters.slice(0, longest).join('')}…` : plain}"`;
}
