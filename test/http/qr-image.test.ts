import QRCode from 'qrcode';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { qrImage } from '../../src/http/qr-image.ts';

it.each(['x', '2@'.padEnd(240, 'AbC+/9'), 'long'.padEnd(1200, '1aZ')])(
  'a picture of a QR code shows its modules in black on white: %s',
  async (content) => {
    const { data, info } = await sharp(qrImage(content)).greyscale().raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 320, height: 320, channels: 1 });
    const at = (x: number, y: number) => data[y * 320 + x];
    expect(new Set(data)).toEqual(new Set([0, 255]));
    const { modules } = QRCode.create(content, {});
    const black = [...data.keys()].filter((place) => data[place] === 0);
    const columns = black.map((place) => place % 320);
    const [left, right] = [columns.reduce((a, b) => Math.min(a, b)), columns.reduce((a, b) => Math.max(a, b))];
    // The two upper corners and the lower left one hold squares, so black reaches from edge to edge of the code.
    const scale = (right + 1 - left) / modules.size;
    expect(Number.isInteger(scale)).toBe(true);
    expect(left).toBeGreaterThanOrEqual(2 * scale);
    expect(319 - right).toBeGreaterThanOrEqual(2 * scale);
    const top = Math.floor((black[0] ?? 0) / 320);
    for (let row = 0; row < modules.size; row++) {
      for (let column = 0; column < modules.size; column++) {
        const shown = [0, scale - 1].map((more) => at(left + column * scale + more, top + row * scale + more));
        expect(shown).toEqual(modules.get(row, column) === 0 ? [255, 255] : [0, 0]);
      }
    }
  },
);
