import { createCipheriv, createHash, createHmac } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { getMediaKeys, type MediaType } from 'baileys';

const chunkBytes = 64 * 1024;
const macBytes = 10;

/** The hashes and sizes of a file before and after encryption. */
export interface Digest {
  readonly fileSha256: Buffer;
  readonly fileEncSha256: Buffer;
  readonly fileLength: number;
  /** The size of the encrypted form in bytes. */
  readonly encryptedLength: number;
}

/**
 * Encrypts an open file piece by piece. The same file, key and type always give the same bytes, so the result can be computed twice instead of
 * stored.
 */
export async function* encryptedPieces(
  file: FileHandle,
  mediaKey: Uint8Array,
  type: MediaType,
  onPlain?: (piece: Buffer) => void,
): AsyncGenerator<Buffer> {
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, type);
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
  const mac = createHmac('sha256', macKey ?? '').update(iv);
  const sealed = (piece: Buffer) => {
    mac.update(piece);
    return piece;
  };
  for await (const plain of pieces(file)) {
    onPlain?.(plain);
    yield sealed(cipher.update(plain));
  }
  yield sealed(cipher.final());
  yield mac.digest().subarray(0, macBytes);
}

/** Reads the file once and computes its hash and the hash of its encrypted form, which names it on the media server. */
export async function digestOf(file: FileHandle, mediaKey: Uint8Array, type: MediaType): Promise<Digest> {
  const plain = createHash('sha256');
  const encrypted = createHash('sha256');
  let fileLength = 0;
  let encryptedLength = 0;
  const onPlain = (piece: Buffer) => {
    plain.update(piece);
    fileLength += piece.length;
  };
  for await (const piece of encryptedPieces(file, mediaKey, type, onPlain)) {
    encrypted.update(piece);
    encryptedLength += piece.length;
  }
  return { fileSha256: plain.digest(), fileEncSha256: encrypted.digest(), fileLength, encryptedLength };
}

/** Reads the file piece by piece. Each piece is valid only until the next is requested. */
async function* pieces(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let position = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
