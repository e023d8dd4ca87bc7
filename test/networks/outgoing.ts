import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../src/core/index.ts';
import type { Kind, MediaUse } from '../../src/kinds/index.ts';
import type { MediaFile, Network, OutgoingMessage } from '../../src/networks/index.ts';

const mimeTypes: Readonly<Record<MediaUse, string>> = {
  image: 'image/png',
  document: 'application/pdf',
  video: 'video/mp4',
  voice: 'audio/ogg; codecs=opus',
  sticker: 'image/webp',
};

/** A new message id in the network's format. */
export function newMessageId(network: Network): string {
  return network.messageId(randomBytes(32).toString('hex'));
}

/** A text message, ready for the wire. */
export function textMessage(network: Network, to: string, text = 'Hello', messageId = newMessageId(network)): OutgoingMessage {
  return { messageId, to, type: 'text', content: { text }, quoted: null, media: null, mayHaveArrived: false };
}

/** An example of a kind as the pipeline would hand it over: parsed, normalised, with the file of a media kind. */
export function exampleMessage(network: Network, kind: Kind, example: string, to: string, media: MediaFile | null): OutgoingMessage {
  const body = kind.schema.parse({ instance_id: newId(), to, ...kind.examples[example] });
  return { messageId: newMessageId(network), to, type: kind.type, content: kind.content(body), quoted: null, media, mayHaveArrived: false };
}

/** Small files to send; `remove` deletes them. */
export async function createMediaFiles(): Promise<{ file(use: MediaUse, bytes?: Buffer): Promise<MediaFile>; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-media-'));
  return {
    async file(use, bytes = randomBytes(64)) {
      const path = join(folder, `${use}-${newId()}`);
      await writeFile(path, bytes);
      return { path, size: bytes.length, mimeType: mimeTypes[use], sha256: createHash('sha256').update(bytes).digest('hex') };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
