// The bytes that no text contains (WHATWG MIME Sniffing, "binary data byte").
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for here.
const binaryByte = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
/** What may stand before the first tag of a web page or an XML file. */
const beforeRoot = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype\s[^>]*>)+/i;
const rootTag = /^<([a-z_][\w:.-]*)(?=[\s/>])/i;
/** The tags that make a file a web page to browsers, those of a single letter left out. */
const pageTags = ['html', 'head', 'script', 'iframe', 'h1', 'div', 'font', 'table', 'style', 'title', 'body', 'br', 'meta', 'link'];

/** The beginning of a text. */
export interface TextBegin {
  readonly text: string;
  /** It is in a Unicode encoding, so it is hardly anything else by chance. */
  readonly unicode: boolean;
}

/** The text that a file begins with; null: it is no text. `head` may end within a character. */
export function readText(head: Uint8Array): TextBegin | null {
  const unicode = decoded(head);
  const text = unicode ?? Buffer.from(head).toString('latin1');
  return text === '' || binaryByte.test(text) ? null : { text, unicode: unicode !== null };
}

function decoded(head: Uint8Array): string | null {
  const encoding = head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

/** The media type of a text, by its beginning; `whole`: there is no more of it. */
export function textType(begin: string, whole: boolean): string {
  const before = beforeRoot.exec(begin)?.[0] ?? '';
  const root = rootTag.exec(begin.slice(before.length))?.[1]?.toLowerCase();
  if (/<!doctype\s+html[\s>]/i.test(before) || (root !== undefined && pageTags.includes(root))) return 'text/html';
  if (root === 'svg') return 'image/svg+xml';
  if (root !== undefined || /^\s*<\?xml\s/.test(before)) return 'application/xml';
  return isJson(begin, whole) ? 'application/json' : 'text/plain';
}

/** Of a longer text only an object, or a list of objects or lists, can be told from its beginning. */
function isJson(begin: string, whole: boolean): boolean {
  if (!/^\s*[{[]/.test(begin)) return false;
  if (!whole) return /^\s*(?:\[\s*)*\{\s*(?:"|\})/.test(begin);
  try {
    JSON.parse(begin);
    return true;
  } catch {
    return false;
  }
}
