import { type ConversionWorld, made } from './conversion-world.ts';

interface HeicOptions {
  /** How often the picture is turned to the left before it is shown. */
  readonly turns?: number;
  /** The picture is cut into two tiles, as phones do. */
  readonly tiled?: boolean;
  /** What the numbers of its colours mean (ICC). */
  readonly profile?: Uint8Array | undefined;
}

/** A HEIC picture of 128 by 64 pixels, red at the left and blue at the right, in the container that phones write (ISO/IEC 23008-12). */
export async function heicPicture(world: ConversionWorld, { turns = 0, tiled = false, profile }: HeicOptions = {}): Promise<Buffer> {
  const parts = tiled
    ? [await coded(world, ['color=red:size=64x64']), await coded(world, ['color=blue:size=64x64'])]
    : [await coded(world, ['color=red:size=64x64', 'color=blue:size=64x64'])];
  const items = parts.map(({ data }, index) => ({ id: index + 2, type: 'hvc1', data }));
  // A grid of one row and two columns, 128 by 64.
  const grid = { id: 1, type: 'grid', data: Buffer.from([0, 0, 0, 1, 0, 128, 0, 64]) };
  const all = tiled ? [grid, ...items] : items;
  const primary = tiled ? 1 : 2;

  const ispe = (width: number, height: number) => full('ispe', 0, 0, u32(width), u32(height));
  // Properties, numbered from 1: the decoder's setup, the size of a part, the size of the whole, the turn.
  const properties = box(
    'ipco',
    parts[0]?.setup ?? Buffer.alloc(0),
    ispe(tiled ? 64 : 128, 64),
    ispe(128, 64),
    box('irot', Buffer.from([turns])),
    ...(profile === undefined ? [] : [box('colr', Buffer.from('prof'), profile)]),
  );
  const propertiesOf = ({ type, id }: { type: string; id: number }) => [
    ...(type === 'grid' ? [3] : [0x80 | 1, 2]),
    ...(id === primary ? [0x80 | 4, ...(profile === undefined ? [] : [5])] : []),
  ];
  const associations = full(
    'ipma',
    0,
    0,
    u32(all.length),
    ...all.map((item) => Buffer.concat([u16(item.id), Buffer.from([propertiesOf(item).length, ...propertiesOf(item)])])),
  );
  const infos = all.map(({ id, type }) => full('infe', 2, 0, u16(id), u16(0), Buffer.from(`${type}\0`)));
  const reference = tiled ? [full('iref', 0, 0, box('dimg', u16(1), u16(items.length), ...items.map(({ id }) => u16(id))))] : [];

  const head = (offsets: readonly number[]) => {
    const places = all.map(({ id, data }, index) => Buffer.concat([u16(id), u16(0), u16(1), u32(offsets[index] ?? 0), u32(data.length)]));
    return Buffer.concat([
      box('ftyp', Buffer.from('heic\0\0\0\0mif1heic')),
      full(
        'meta',
        0,
        0,
        full('hdlr', 0, 0, u32(0), Buffer.from('pict'), Buffer.alloc(13)),
        full('pitm', 0, 0, u16(primary)),
        full('iloc', 0, 0, Buffer.from([0x44, 0x00]), u16(all.length), ...places),
        full('iinf', 0, 0, u16(infos.length), ...infos),
        ...reference,
        box('iprp', properties, associations),
      ),
    ]);
  };
  // The offsets do not change how long it is.
  let offset = head([]).length + 8;
  const offsets = all.map(({ data }) => {
    offset += data.length;
    return offset - data.length;
  });
  return Buffer.concat([head(offsets), box('mdat', ...all.map(({ data }) => data))]);
}

/** One coded picture and the setup of its decoder, taken out of an MP4. */
async function coded(world: ConversionWorld, halves: readonly string[]): Promise<{ data: Buffer; setup: Buffer }> {
  const inputs = halves.flatMap((half) => ['-f', 'lavfi', '-i', half]);
  const joined = halves.length > 1 ? ['-filter_complex', `hstack=inputs=${halves.length}`] : [];
  const args = [
    ...inputs,
    ...joined,
    '-frames:v',
    '1',
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx265',
    '-x265-params',
    'log-level=none',
    '-tag:v',
    'hvc1',
  ];
  const film = await made(world, 'coded.mp4', args);
  return { data: boxIn(film, 'mdat').subarray(8), setup: boxIn(film, 'hvcC') };
}

function boxIn(file: Buffer, type: string): Buffer {
  const start = file.indexOf(type, 0, 'latin1') - 4;
  return file.subarray(start, start + file.readUInt32BE(start));
}

function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type), body]);
}

function full(type: string, version: number, flags: number, ...content: readonly Uint8Array[]): Buffer {
  return box(type, Buffer.from([version, 0, 0, flags]), ...content);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
