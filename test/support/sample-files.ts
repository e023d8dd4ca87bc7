import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import type { FileServer } from './file-server.ts';

const run = promisify(execFile);

/** Links to a real file of every kind that has one. */
export interface SampleFiles {
  readonly image: string;
  readonly document: string;
  readonly video: string;
  readonly audio: string;
  readonly sticker: string;
}

/** Makes small real files and puts them on the server. */
export async function serveSamples(files: FileServer): Promise<SampleFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'samples-'));
  const made = async (name: string, ...input: string[]) => {
    await run('ffmpeg', ['-nostdin', '-v', 'error', ...input, '-threads', '1', join(folder, name)]);
    return readFile(join(folder, name));
  };
  const svg = (content: string, [width, height]: readonly [number, number]) =>
    sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`));
  try {
    const [image, sticker, video, audio] = await Promise.all([
      svg(
        '<rect width="640" height="420" fill="#f4d9b5"/><circle cx="320" cy="220" r="130" fill="#c47b35"/><path d="M240 180q80-60 160 0M230 230q90-60 180 0" stroke="#fff3df" stroke-width="14" fill="none"/>',
        [640, 420],
      )
        .png()
        .toBuffer(),
      svg(
        '<circle cx="256" cy="256" r="220" fill="#ffd43b"/><circle cx="180" cy="210" r="28"/><circle cx="332" cy="210" r="28"/><path d="M150 310q106 110 212 0" stroke="#000" stroke-width="22" fill="none"/>',
        [512, 512],
      )
        .webp()
        .toBuffer(),
      made('tour.webm', '-f', 'lavfi', '-i', 'testsrc2=duration=2:size=320x180:rate=10', '-c:v', 'libvpx'),
      made('greeting.mp3', '-f', 'lavfi', '-i', 'sine=frequency=330:duration=3'),
    ]);
    const serve = (path: string, bytes: Uint8Array, type: string) => files.serve(path, { bytes, headers: { 'content-type': type } });
    return {
      image: serve('/photos/bread.png', image, 'image/png'),
      sticker: serve('/stickers/smile.webp', sticker, 'image/webp'),
      video: serve('/videos/tour.webm', video, 'video/webm'),
      audio: serve('/audio/greeting.mp3', audio, 'audio/mpeg'),
      document: serve('/files/price-list.pdf', Buffer.from('%PDF-1.4\n%%EOF\n'), 'application/pdf'),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
