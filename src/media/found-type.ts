import { open } from 'node:fs/promises';
import { readText, textType } from './text-type.ts';
import { usualName } from './type-names.ts';

// Enough for what stands before the first tag of a page, and for an Ogg head.
const headBytes = 4096;
const heifBrands = ['mif1', 'mif2', 'msf1', 'miaf'];
const avifBrands = ['avif', 'avis'];
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx'];
/** What a text can be besides a page, JSON, XML or plain text. */
const writtenAsText = /^(?:text\/|application\/(?:pdf|rtf|postscript|eps|pgp|x-ms-regedit))/;

/** The media type of a file as its bytes tell it; null: they tell none. What a name or a server says is not asked. */
export async function findType(path: string, signal: AbortSignal): Promise<string | null> {
  const { head, size } = await readHead(path);
  const text = readText(head);
  if (text === null) return heifType(head) ?? (await recognised(path, signal)) ?? (isPdf(head) ? 'application/pdf' : null);
  const found = await recognised(path, signal);
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

async function recognised(path: string, signal: AbortSignal): Promise<string | null> {
  // Loaded with the first file: a server that has sent none yet does without its memory.
  const { fileTypeFromFile } = await import('file-type');
  try {
    const found = await fileTypeFromFile(path, { signal });
    return found === undefined ? null : usualName(found.mime);
  } catch {
    signal.throwIfAborted();
    // A file that its reader stumbles over is one that it does not know.
    return null;
  }
}

/** Still pictures in the container of MP4: what is inside is often told only by a later one of the file's brands. */
function heifType(head: Buffer): string | null {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return null;
  const end = Math.min(head.readUInt32BE(0), 256, head.length);
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  const has = (among: readonly string[]) => brands.some((brand) => among.includes(brand));
  if (![...heifBrands, ...avifBrands, ...heicBrands].includes(brands[0] ?? '')) return null;
  if (has(avifBrands)) return 'image/avif';
  return has(heicBrands) ? 'image/heic' : 'image/heif';
}

/** Readers of PDF accept its mark anywhere in the first KiB, and writers do put something before it. */
function isPdf(head: Buffer): boolean {
  return /%PDF-\d/.test(head.toString('latin1', 0, 1024));
}
