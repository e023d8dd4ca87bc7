import { readFile } from 'node:fs/promises';
import { zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { MediaUse } from '../../src/kinds/index.ts';
import type { FetchOptions } from '../../src/media/index.ts';
import { failureOf, inMediaWorld, type MediaWorld } from './media-world.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const sample = (name: string) => readFile(new URL(`../../samples/${name}`, import.meta.url));
const picture = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } });
const zip = (files: Record<string, string>) =>
  Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))));
const office = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ftyp = (...brands: string[]) =>
  Buffer.concat([
    Buffer.from([0, 0, 0, 12 + 4 * brands.length]),
    bytes(`ftyp${brands[0]}\0\0\0\0`),
    bytes(brands.slice(1).join('')),
    Buffer.alloc(64),
  ]);

/** Real files, or the beginning of one where that is all there is to be known. */
const contents = {
  pdf: async () => bytes('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n'),
  'a PDF with something before it': async () => bytes('\0\0\r\n%PDF-1.7\n'),
  jpeg: () => picture().jpeg().toBuffer(),
  png: () => picture().png().toBuffer(),
  gif: () => picture().gif().toBuffer(),
  webp: () => picture().webp().toBuffer(),
  tiff: () => picture().tiff().toBuffer(),
  avif: () => picture().avif().toBuffer(),
  'avif with the brand mif1': async () => ftyp('mif1', 'miaf', 'avif'),
  heic: async () => ftyp('heic', 'mif1', 'heic'),
  'heic with the brand mif1': async () => ftyp('mif1', 'heic'),
  bmp: async () => Buffer.concat([bytes('BM'), Buffer.alloc(64)]),
  mp3: () => sample('reminder.mp3'),
  opus: () => sample('greeting.ogg'),
  m4a: async () => ftyp('M4A ', 'isom'),
  mp4: () => sample('tour.mp4'),
  webm: async () => Buffer.concat([bytes('\x1a\x45\xdf\xa3\x9f\x42\x82\x84webm'), Buffer.alloc(64)]),
  docx: async () =>
    zip({
      '[Content_Types].xml': `<Types><Override PartName="/word/document.xml" ContentType="${office}.main+xml"/></Types>`,
      'word/document.xml': '<w:document/>',
    }),
  zip: async () => zip({ 'a.txt': 'a' }),
  'old Word': async () => Buffer.concat([bytes('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'), Buffer.alloc(600)]),
  program: async () => Buffer.concat([bytes('MZ\x90\0'), Buffer.alloc(600)]),
  page: async () => bytes('\n<!-- hello -->\n<!DOCTYPE html>\n<html><body>Sign in</body></html>'),
  'page without a head': async () => bytes('<html lang=en>Sign in'),
  xhtml: async () => bytes('<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">\n<html xmlns="x"/>'),
  json: async () => bytes('{"error": "expired"}'),
  'a long list in JSON': async () => bytes(`[\n${'{"error": "expired"},'.repeat(500)}{}]`),
  xml: async () => bytes('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
  'xml without a declaration': async () => bytes('<Error><Code>AccessDenied</Code></Error>'),
  'xml in UTF-16': async () => Buffer.from('\ufeff<?xml version="1.0"?><Error/>', 'utf16le'),
  svg: async () => bytes('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  text: async () => bytes('BMW, MZ and GIF: names of two letters\n'),
  'text in Latin-1': async () => bytes('Stra\xdfe, H\xe4user und mehr\n'),
  csv: async () => bytes('a,b\r\n1,2\r\n'),
  unknown: async () => bytes('\x01\x02 nothing that anybody knows \x03'),
} as const;
type ContentName = keyof typeof contents;

async function inWorldWith(name: ContentName, contentType: string | undefined, run: (world: MediaWorld) => Promise<void>): Promise<void> {
  const content = await contents[name]();
  await inMediaWorld((_request, response) => {
    if (contentType !== undefined) response.setHeader('content-type', contentType);
    response.end(content);
  }, run);
}

async function typeOf(name: ContentName, contentType: string | undefined, options: Partial<FetchOptions>): Promise<string> {
  let type = '';
  await inWorldWith(name, contentType, async (world) => {
    const media = await world.fetch(world.url(), options);
    type = media.mimeType;
    await media.release();
  });
  return type;
}

describe('the media type of a document', () => {
  test.each<[content: ContentName, said: string | undefined, filename: string | undefined, type: string]>([
    ['pdf', 'binary/octet-stream', 'Invoice.pdf', 'application/pdf'],
    ['pdf', undefined, 'document', 'application/pdf'],
    ['pdf', 'application/force-download', 'download', 'application/pdf'],
    ['pdf', 'image/png', 'Invoice.png', 'application/pdf'],
    ['a PDF with something before it', undefined, undefined, 'application/pdf'],
    ['jpeg', 'text/plain', 'scan', 'image/jpeg'],
    ['mp4', undefined, undefined, 'video/mp4'],
    ['opus', undefined, undefined, 'audio/ogg'],
    ['docx', 'application/zip', 'Contract.docx', office],
    ['docx', undefined, undefined, office],
    ['zip', 'application/x-zip-compressed', undefined, 'application/zip'],
    ['zip', undefined, 'photo.png', 'application/zip'],
    ['zip', undefined, 'places.kmz', 'application/vnd.google-earth.kmz'],
    ['old Word', undefined, 'Letter.doc', 'application/msword'],
    ['old Word', 'application/vnd.ms-excel', undefined, 'application/vnd.ms-excel'],
    ['old Word', undefined, 'Letter.pdf', 'application/x-cfb'],
    ['page', 'application/pdf', 'Invoice.pdf', 'text/html'],
    ['json', 'text/plain', undefined, 'application/json'],
    ['json', undefined, 'map.geojson', 'application/geo+json'],
    ['xml', undefined, 'track.gpx', 'application/gpx+xml'],
    ['csv', 'application/octet-stream', 'prices.csv', 'text/csv'],
    ['csv', 'Text/CSV; charset=utf-8', undefined, 'text/csv'],
    ['csv', undefined, undefined, 'text/plain'],
    ['text', undefined, 'BMW.txt', 'text/plain'],
    ['unknown', undefined, 'drawing.PSD', 'image/vnd.adobe.photoshop'],
    ['unknown', 'Application/X-Own; a=b', 'drawing', 'application/x-own'],
    ['unknown', 'application/x-own', 'program.exe', 'application/x-own'],
    ['unknown', 'image/jpg', undefined, 'image/jpeg'],
    ['unknown', 'application/octet-stream', undefined, 'application/octet-stream'],
    ['unknown', 'text/plain', undefined, 'application/octet-stream'],
    ['unknown', 'image', undefined, 'application/octet-stream'],
    ['unknown', 'image/png/x', undefined, 'application/octet-stream'],
    ['unknown', 'text/html, image/png', undefined, 'application/octet-stream'],
    ['unknown', `image/${'b'.repeat(200)}`, undefined, 'application/octet-stream'],
    ['unknown', undefined, 'pdf', 'application/octet-stream'],
  ])('%s, which its server calls %s, named %s: %s [media.type]', async (content, said, filename, type) => {
    expect(await typeOf(content, said, { filename })).toBe(type);
  });

  test.each<[content: ContentName]>([['pdf'], ['page'], ['unknown']])(
    '%s is what the caller says [media.declared-type]',
    async (content) => {
      expect(await typeOf(content, 'image/png', { declaredMimeType: 'application/x-own', filename: 'a.csv' })).toBe('application/x-own');
    },
  );
});

describe('the media type of a picture, sound or video', () => {
  test.each<[use: MediaUse, content: ContentName, said: string | undefined, type: string]>([
    ['image', 'jpeg', 'text/plain', 'image/jpeg'],
    ['image', 'jpeg', 'text/html', 'image/jpeg'],
    ['image', 'jpeg', 'image/jpg', 'image/jpeg'],
    ['image', 'png', 'application/octet-stream', 'image/png'],
    ['image', 'avif with the brand mif1', 'image/heif', 'image/avif'],
    ['image', 'heic', undefined, 'image/heic'],
    ['image', 'heic with the brand mif1', undefined, 'image/heic'],
    ['image', 'bmp', undefined, 'image/bmp'],
    ['image', 'unknown', 'image/jpg', 'image/jpeg'],
    ['image', 'unknown', 'text/plain', 'image/x-fallback'],
    ['image', 'unknown', undefined, 'image/x-fallback'],
    ['sticker', 'tiff', 'image/webp', 'image/tiff'],
    ['sticker', 'gif', undefined, 'image/gif'],
    ['video', 'webm', 'video/mp4', 'video/webm'],
    ['video', 'mp4', 'text/plain', 'video/mp4'],
    ['video', 'unknown', 'video/x-own', 'video/x-own'],
    ['voice', 'mp3', undefined, 'audio/mpeg'],
    ['voice', 'm4a', 'binary/octet-stream', 'audio/mp4'],
    ['voice', 'opus', 'text/plain', 'audio/ogg; codecs=opus'],
    ['voice', 'mp4', undefined, 'video/mp4'],
  ])('%s: %s, which its server calls %s: %s [media.type]', async (use, content, said, type) => {
    expect(await typeOf(content, said, { use, fallbackMimeType: 'image/x-fallback' })).toBe(type);
  });

  test.each<[use: MediaUse, content: ContentName, declared: string, type: string]>([
    ['image', 'jpeg', 'image/x-own', 'image/x-own'],
    ['image', 'png', 'IMAGE/JPG', 'image/jpeg'],
    ['image', 'jpeg', 'text/plain', 'image/jpeg'],
    ['image', 'unknown', 'video/mp4', 'image/x-fallback'],
    ['video', 'webm', 'video/x-own', 'video/x-own'],
    ['video', 'mp4', 'application/octet-stream', 'video/mp4'],
  ])('%s: %s, which its sender calls %s: %s [media.declared-type]', async (use, content, declaredMimeType, type) => {
    expect(await typeOf(content, undefined, { use, declaredMimeType, fallbackMimeType: 'image/x-fallback' })).toBe(type);
  });
});

describe('what cannot be sent as its kind', () => {
  const inAnyWay: [ContentName, string][] = [
    ['page', 'text/html'],
    ['page without a head', 'text/html'],
    ['xhtml', 'text/html'],
    ['json', 'application/json'],
    ['a long list in JSON', 'application/json'],
    ['xml', 'application/xml'],
    ['xml without a declaration', 'application/xml'],
    ['xml in UTF-16', 'application/xml'],
    ['svg', 'image/svg+xml'],
    ['text', 'text/plain'],
    ['text in Latin-1', 'text/plain'],
    ['pdf', 'application/pdf'],
    ['zip', 'application/zip'],
    ['program', 'application/x-msdownload'],
  ];
  const all = inAnyWay.flatMap(([content, found]) =>
    (['image', 'sticker', 'video', 'voice'] as const).map((use) => [use, content, found] as const),
  );
  test.each<readonly [use: MediaUse, content: ContentName, found: string]>([
    ...all,
    ['image', 'mp3', 'audio/mpeg'],
    ['image', 'mp4', 'video/mp4'],
    ['sticker', 'opus', 'audio/ogg; codecs=opus'],
    ['sticker', 'mp4', 'video/mp4'],
    ['video', 'mp3', 'audio/mpeg'],
    ['video', 'png', 'image/png'],
    ['voice', 'jpeg', 'image/jpeg'],
    ['voice', 'avif', 'image/avif'],
  ])('%s: %s is refused as %s [media.wrong-kind]', async (use, content, found) => {
    // The type that the server and the sender claim changes nothing.
    const claimed = { image: 'image/png', sticker: 'image/webp', video: 'video/mp4', voice: 'audio/mpeg', document: 'text/plain' }[use];
    await inWorldWith(content, claimed, async (world) => {
      const error = await failureOf(world.fetch(world.url(), { use, declaredMimeType: claimed }));
      expect(error).toMatchObject({ code: 'media_fetch_failed', status: 422, details: { found } });
      expect(error.message).toContain(found);
      expect(await world.files()).toEqual([]);
    });
  });

  test('is a document all the same [media.wrong-kind]', async () => {
    for (const content of ['page', 'program', 'png'] as const) expect(await typeOf(content, undefined, {})).not.toBe('');
  });
});
