import { open } from 'node:fs/promises';
import { isOutOfFiles } from '../core/index.ts';
import { usualName } from './media-type.ts';

// Enough for what stands before the first tag of a page, and for an Ogg head.
const headBytes = 4096;
const heifBrands = ['mif1', 'mif2', 'msf1', 'miaf'];
const avifBrands = ['avif', 'avis'];
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
/** What a text can be besides a page, JSON, XML or plain text. */
const writtenAsText = /^(?:text\/|application\/(?:pdf|rtf|postscript|eps|pgp|x-ms-regedit))/;

/** The media type of a file by its bytes alone; null: they have none of their own. */
export async function findType(path: string, signal: AbortSignal): Promise<string | null> {
  const { head, size } = await readHead(path);
  const text = readText(head);
  if (text === null) return heifType(head) ?? (await recognise(path, signal)) ?? (isPdf(head) ? 'application/pdf' : null);
  const found = await recognise(path, signal);
  // Two letters are enough for the library, and a text may begin with any.
  if (found !== null && (writtenAsText.test(found) || !text.unicode)) return found;
  const type = textType(text.text, size <= headBytes);
  return type === 'text/plain' && isPdf(head) ? 'application/pdf' : type;
}

async function readHead(path: string): Promise<{ readonly head: Buffer; readonly size: number }> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(headBytes, size));
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    return { head: head.subarray(0, bytesRead), size };
  } finally {
    await handle.close();
  }
}

async function recognise(path: string, signal: AbortSignal): Promise<string | null> {
  // Loaded with the first file: a server that has sent none yet does without its memory.
  const { fileTypeFromFile } = await import('file-type');
  try {
    const found = await fileTypeFromFile(path, { signal });
    return found === undefined ? null : usualName(found.mime);
  } catch (error) {
    signal.throwIfAborted();
    if (isOutOfFiles(error)) throw error;
    // A file that its reader stumbles over is one that it does not know.
    return null;
  }
}

/** Still pictures in the container of MP4. Often only a later one of the file's brands names what is inside. */
function heifType(head: Buffer): string | null {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null;
  const end = Math.min(head.readUInt32BE(0), 256, head.length);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  const has = (wanted: readonly string[]) => brands.some((brand) => wanted.includes(brand));
  if (![...heifBrands, ...avifBrands, ...heicBrands].includes(brands[0] ?? '')) return null;
  if (has(avifBrands)) return 'image/avif';
  return has(heicBrands) ? 'image/heic' : 'image/heif';
}

/** Readers of PDF accept its mark anywhere in the first KiB, and writers do put something before it. */
function isPdf(head: Buffer): boolean {
  return /%PDF-\d/.test(head.toString('latin1', 0, 1024));
}

// The bytes that no text contains (WHATWG MIME Sniffing, "binary data byte").
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for here.
const binaryByte = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/;
/** What may stand before the first tag of a web page or an XML file. */
const beforeRoot = /^(?:\s|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!doctype\s[^>]*>)+/i;
const rootTag = /^<([a-z_][\w:.-]*)(?=[\s/>])/i;
/** The tags that make a file a web page to browsers, those of a single letter left out. */
const pageTags = ['html', 'head', 'script', 'iframe', 'h1', 'div', 'font', 'table', 'style', 'title', 'body', 'br', 'meta', 'link'];

/**
 * The text that a file begins with; null: it is no text. `head` may end within a character. `unicode`: it is in a Unicode encoding, so it is hardly
 * anything else by chance.
 */
function readText(head: Uint8Array) {
  const unicode = decode(head);
  const text = unicode ?? Buffer.from(head).toString('latin1');
  return text === '' || binaryByte.test(text) ? null : { text, unicode: unicode !== null };
}

function decode(head: Uint8Array): string | null {
  const encoding = head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}

/** The media type of a text, by its beginning; `whole`: there is no more of it. */
function textType(begin: string, whole: boolean): string {
  const before = beforeRoot.exec(begin)?.[0] ?? '';
  const root = rootTag.exec(begin.slice(before.length))?.[1]?.toLowerCase();
  if (/<!doctype\s+html[\s>]/i.test(before) || (root !== undefined && pageTags.includes(root))) return 'text/html';
  if (root === 'svg') return 'image/svg+xml';
  if (root !== undefined || /^\s*<\?xml\s/.test(before)) return 'application/xml';
  return isJson(begin, whole) ? 'application/json' : 'text/plain';
}

/** Of a longer text the beginning shows only an object, or a list of objects or lists. */
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
