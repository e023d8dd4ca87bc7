import { crc32, createDeflate } from 'node:zlib';

/** How many bytes of zeros fill a PNG without filters: each row has one byte more. */
interface PngShape {
  readonly width: number;
  readonly height: number;
  readonly bitDepth: 1 | 8 | 16;
  readonly colour: 'grey' | 'rgba';
  readonly interlaced?: boolean;
}

/** A valid black PNG of any size, some thousand times smaller than its pixels. */
export async function blackPng({ width, height, bitDepth, colour, interlaced = false }: PngShape): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([bitDepth, colour === 'grey' ? 0 : 6, 0, 0, interlaced ? 1 : 0], 8);
  const bitsPerPixel = bitDepth * (colour === 'grey' ? 1 : 4);
  const rowBytes = (pixels: number) => (pixels === 0 ? 0 : 1 + Math.ceil((pixels * bitsPerPixel) / 8));
  const bytes = passes(width, height, interlaced).reduce((sum, pass) => sum + rowBytes(pass.width) * pass.height, 0);
  const chunks = [chunk('IHDR', head), chunk('IDAT', await deflatedZeros(bytes)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
}

/** The reduced images of an interlaced PNG (PNG specification, 8.2). */
function passes(width: number, height: number, interlaced: boolean): { width: number; height: number }[] {
  if (!interlaced) return [{ width, height }];
  const starts = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  return starts.map(([x, y, stepX, stepY]) => ({ width: Math.ceil((width - x) / stepX), height: Math.ceil((height - y) / stepY) }));
}

/** In small pieces, so that making the bomb needs no more memory than having it. */
async function deflatedZeros(bytes: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 1 });
  const zeros = Buffer.alloc(1024 * 1024);
  async function feed(): Promise<void> {
    for (let left = bytes; left > 0; left -= zeros.length) {
      if (!deflate.write(zeros.subarray(0, Math.min(left, zeros.length)))) await new Promise((resolve) => deflate.once('drain', resolve));
    }
    deflate.end();
  }
  const feeding = feed();
  const parts: Buffer[] = [];
  for await (const part of deflate) parts.push(part as Buffer);
  await feeding;
  return Buffer.concat(parts);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A GIF of one frame with this size in its header and next to no data. */
export function hugeGif(width: number, height: number, frames = 1): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const screen = Buffer.concat([Buffer.from('GIF89a'), size, Buffer.from([0x80, 0, 0, 0, 0, 0, 255, 255, 255])]);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 10, 0, 0, 0]);
  const image = Buffer.concat([Buffer.from([0x2c, 0, 0, 0, 0]), size, Buffer.from([0, 2, 2, 0x44, 0x01, 0])]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => Buffer.concat([control, image])), Buffer.from([0x3b])]);
}

/** A wav of silence, 8,000 bytes for each second. */
export function silence(seconds: number): Buffer {
  const bytes = Buffer.alloc(44 + 8000 * seconds, 128);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.set([1, 0, 1, 0], 20);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.set([1, 0, 8, 0], 32);
  bytes.write('data', 36);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  return bytes;
}
