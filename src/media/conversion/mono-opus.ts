import { createReadStream } from 'node:fs';

const headerBytes = 27;
const begins = 0x02;

/**
 * Whether an Ogg file is one Opus stream of one channel from its first page to its last: no stream beside it and none behind it
 * (RFC 3533, RFC 7845). What is left of a page at the end of the file does not count.
 */
export async function isMonoOpus(path: string): Promise<boolean> {
  let unread = Buffer.alloc(0);
  /** Bytes of the current page's body that are still to come. */
  let skip = 0;
  let pages = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (skip >= chunk.length) {
      skip -= chunk.length;
      continue;
    }
    unread = Buffer.concat([unread, chunk.subarray(skip)]);
    skip = 0;
    for (let page = pageAt(unread); page !== 'unfinished'; page = pageAt(unread)) {
      if (page === null || (pages === 0 ? page.channels !== 1 : page.begins)) return false;
      pages += 1;
      skip = Math.max(0, page.length - unread.length);
      unread = unread.subarray(page.length);
    }
  }
  return pages > 1;
}

/** The page that the bytes begin with; null: there is none. */
function pageAt(
  bytes: Buffer,
): { readonly length: number; readonly begins: boolean; readonly channels: number | null } | null | 'unfinished' {
  const lengths = bytes.subarray(headerBytes, headerBytes + (bytes[26] ?? 0));
  if (bytes.length < headerBytes || lengths.length < (bytes[26] ?? 0)) return 'unfinished';
  if (bytes.toString('latin1', 0, 4) !== 'OggS') return null;
  const body = headerBytes + lengths.length;
  const isBeginning = ((bytes[5] ?? 0) & begins) !== 0;
  // The number of channels is in the first bytes of the body.
  if (isBeginning && bytes.length < body + 10) return 'unfinished';
  const isOpus = isBeginning && bytes.toString('latin1', body, body + 8) === 'OpusHead';
  const length = lengths.reduce((sum, part) => sum + part, body);
  return { length, begins: isBeginning, channels: isOpus ? (bytes[body + 9] ?? null) : null };
}
