/** What a contact card says. */
export interface Card {
  readonly full_name: string;
  /** Digits. */
  readonly phone_number: string;
  readonly organization?: string | undefined;
  readonly email?: string | undefined;
  readonly url?: string | undefined;
}

/** The longest line in bytes, without its end (RFC 2426, 2.6). */
const lineBytes = 75;

/** A contact card as vCard 3.0 (RFC 2426). `waid` on the number lets the recipient write to it at once. */
export function vcard({ full_name, phone_number, organization, email, url }: Card): string {
  const lines = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `N:;${escaped(full_name)};;;`,
    `FN:${escaped(full_name)}`,
    ...(organization ? [`ORG:${escaped(organization)}`] : []),
    `TEL;TYPE=CELL,VOICE;waid=${phone_number}:+${phone_number}`,
    ...(email ? [`EMAIL;TYPE=INTERNET:${escaped(email)}`] : []),
    ...(url ? [`URL:${printable(url)}`] : []),
    'END:VCARD',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Text with its structural characters escaped, so that a value can never become a property of its own. */
function escaped(value: string): string {
  return printable(
    value
      .replace(/\r\n?/g, '\n')
      .replace(/[\\;,]/g, '\\$&')
      .replaceAll('\n', '\\n'),
  );
}

function printable(value: string): string {
  return value.replace(/\p{Cc}/gu, '');
}

/** The line in parts of at most 75 bytes; a part after the first begins with a space, and no character is cut. */
function folded(line: string): string {
  if (Buffer.byteLength(line) <= lineBytes) return line;
  let text = '';
  let used = 0;
  for (const character of line) {
    const bytes = Buffer.byteLength(character);
    if (used + bytes > lineBytes) {
      text += '\r\n ';
      used = 1;
    }
    text += character;
    used += bytes;
  }
  return text;
}
