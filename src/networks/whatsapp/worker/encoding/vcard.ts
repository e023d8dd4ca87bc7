/** The fields of a contact card. */
export interface Card {
  readonly full_name: string;
  /** Digits. */
  readonly phone_number: string;
  readonly organization?: string | undefined;
  readonly email?: string | undefined;
  readonly url?: string | undefined;
}

/** The longest line in bytes, without the line end (RFC 2426, 2.6). */
const lineBytes = 75;

/** A contact card as vCard 3.0 (RFC 2426). With `waid` on the number, the recipient can write to it directly. */
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

/** Escapes the structural characters, so that a value cannot become a property of its own. */
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

/** Folds a line into parts of at most 75 bytes without cutting a character. Every part after the first begins with a space. */
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
