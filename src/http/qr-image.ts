import { crc32, deflateSync } from 'node:zlib';
import QRCode from 'qrcode';

/** The width and height of a picture, in pixels. */
const side = 320;
/** How much white is around the code at least, in modules. */
const margin = 2;
const signature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Draws a QR code with this content as a PNG in black and white. The library's own way takes several times as long, because it draws in colours and
 * tries five filters on every row.
 */
export function qrImage(content: string): Buffer {
  const { modules } = QRCode.create(content, {});
  const scale = Math.floor(side / (modules.size + 2 * margin));
  const offset = Math.floor((side - modules.size * scale) / 2);
  // A row is its filter, which is none, and a bit for each pixel, of which 1 is white.
  const rowBytes = 1 + side / 8;
  const pixels = Buffer.alloc(rowBytes * side, 0xff);
  for (let y = 0; y < side; y++) pixels[y * rowBytes] = 0;
  for (let row = 0; row < modules.size; row++) {
    const first = (offset + row * scale) * rowBytes;
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column) === 0) continue;
      for (let x = offset + column * scale; x < offset + (column + 1) * scale; x++) {
        const place = first + 1 + (x >> 3);
        pixels[place] = (pixels[place] ?? 0) & ~(0x80 >> (x & 7));
      }
    }
    for (let copy = 1; copy < scale; copy++) pixels.copy(pixels, first + copy * rowBytes, first, first + rowBytes);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit for each pixel; the colour type and the rest stay 0: shades of grey, and the only ways to compress and filter that there are.
  header[8] = 1;
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))]);
}

/** A part of a PNG: its length, its name and data, and their checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const numbers = Buffer.alloc(8);
  numbers.writeUInt32BE(data.length, 0);
  numbers.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)]);
}
