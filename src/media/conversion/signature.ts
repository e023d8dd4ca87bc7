import { open } from 'node:fs/promises';

/** The formats a conversion cares for, as the first bytes of a file tell them. What a name or a server says is not asked. */
export type Signature = 'ogg-opus' | 'still' | 'pdf' | 'other';

// A page header, at most 255 lengths, and what an Opus head and the next page's header need.
const headBytes = 1024;

/** Reads the signature of a file from its first KiB. */
export async function readSignature(path: string): Promise<Signature> {
  const handle = await open(path);
  try {
    const head = Buffer.alloc(headBytes);
    const { bytesRead } = await handle.read(head, 0, headBytes, 0);
    return signatureOf(head.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

function signatureOf(head: Buffer): Signature {
  const has = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  if (has('\xff\xd8\xff') || has('\x89PNG\r\n\x1a\n') || has('GIF87a') || has('GIF89a')) return 'still';
  if ((has('RIFF') && has('WEBP', 8)) || has('ftypavif', 4) || has('ftypavis', 4)) return 'still';
  // Readers of PDF accept it anywhere in the first KiB, and writers do put something before it.
  if (head.includes('%PDF-')) return 'pdf';
  return has('OggS') && isOpusAlone(head) ? 'ogg-opus' : 'other';
}

/** Whether an Ogg file begins with an Opus stream and no other stream begins beside it (RFC 3533, RFC 7845). */
function isOpusAlone(head: Buffer): boolean {
  const segments = head[26] ?? 0;
  const body = 27 + segments;
  const size = head.subarray(27, body).reduce((sum, length) => sum + length, 0);
  const next = body + size;
  const begins = 0x02;
  return head.toString('latin1', body, body + 8) === 'OpusHead' && ((head[next + 5] ?? begins) & begins) === 0;
}
