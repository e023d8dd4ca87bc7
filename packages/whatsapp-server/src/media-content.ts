import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import { getMediaKeys, type MediaType, normalizeMessageContent, type proto } from 'baileys';
import type { MediaStore } from './media-store.ts';

const macLength = 10;

interface MediaPart {
  readonly mediaKey?: Uint8Array | null;
  readonly directPath?: string | null;
  readonly fileSha256?: Uint8Array | null;
  readonly fileEncSha256?: Uint8Array | null;
}

/** The file of a media message, downloaded, checked and decrypted as in a recipient's app. */
export async function openMedia(store: MediaStore, message: proto.IMessage): Promise<Buffer> {
  const [type, part] = mediaPartOf(message);
  if (!part.mediaKey || !part.directPath) throw new Error('the media message names no file');
  const sealed = await store.read(part.directPath);
  mustMatch(sealed, part.fileEncSha256, 'encrypted file');
  const { iv, cipherKey, macKey } = await getMediaKeys(part.mediaKey, type);
  if (!macKey) throw new Error('no MAC key could be derived');
  const body = sealed.subarray(0, -macLength);
  const mac = createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, macLength);
  if (!mac.equals(sealed.subarray(-macLength))) throw new Error('the MAC of the media file is wrong');
  const cipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const plain = Buffer.concat([cipher.update(body), cipher.final()]);
  mustMatch(plain, part.fileSha256, 'decrypted file');
  return plain;
}

function mediaPartOf(message: proto.IMessage): [MediaType, MediaPart] {
  const content = normalizeMessageContent(message);
  if (content?.imageMessage) return ['image', content.imageMessage];
  if (content?.videoMessage) return ['video', content.videoMessage];
  if (content?.audioMessage) return ['audio', content.audioMessage];
  if (content?.documentMessage) return ['document', content.documentMessage];
  if (content?.stickerMessage) return ['sticker', content.stickerMessage];
  throw new Error('this is not a media message');
}

function mustMatch(data: Buffer, expected: Uint8Array | null | undefined, what: string): void {
  if (
    !createHash('sha256')
      .update(data)
      .digest()
      .equals(Buffer.from(expected ?? []))
  )
    throw new Error(`the hash of the ${what} does not match`);
}
