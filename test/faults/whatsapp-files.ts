import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { FileServer } from '../support/file-server.ts';
import type { MediaLinks } from './whatsapp-kinds.ts';

const small = ['-f', 'lavfi', '-i', 'testsrc=duration=1:size=160x120:rate=10', '-pix_fmt', 'yuv420p'];
const sound = ['-f', 'lavfi', '-i', 'sine=duration=1'];

/** Small real files of every media kind. Installs ffmpeg where it is missing and may be installed. */
export async function makeFiles(): Promise<Readonly<Record<keyof MediaLinks, Buffer>>> {
  const folder = await mkdtemp(join(tmpdir(), 'whatsapp-files-'));
  try {
    const made = async (name: string, input: readonly string[]) => {
      await promisify(execFile)('ffmpeg', ['-nostdin', '-v', 'error', ...input, join(folder, name)]);
      return readFile(join(folder, name));
    };
    const picture = sharp({ create: { width: 200, height: 150, channels: 3, background: 'teal' } });
    return {
      image: await picture.clone().jpeg().toBuffer(),
      sticker: await picture.clone().png().toBuffer(),
      video: await made('film.mp4', small),
      audio: await made('sound.mp3', sound),
      document: Buffer.from('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n'),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Serves one file of every media kind, under links that end in this query. */
export async function serveFiles(files: FileServer, query = ''): Promise<MediaLinks> {
  const { image, sticker, video, audio, document } = await makeFiles();
  const serve = (name: string, type: string, bytes: Buffer) => [
    files.serve(`/${name}${query}`, { bytes, headers: { 'content-type': type, etag: '"1"' } }),
  ];
  return {
    image: serve('picture.jpg', 'image/jpeg', image),
    sticker: serve('sticker.png', 'image/png', sticker),
    video: serve('film.mp4', 'video/mp4', video),
    audio: serve('sound.mp3', 'audio/mpeg', audio),
    document: serve('paper.pdf', 'application/pdf', document),
  };
}
