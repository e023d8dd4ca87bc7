import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { accept, accepts, addressing, astral, kindOf, refuse, refusedFields } from './bodies.ts';

const url = 'https://example.com/files/report.pdf';
const media = ['image', 'document', 'video', 'audio', 'sticker'] as const;

describe.each(media)('%s', (type) => {
  test('url is required and a string; the link itself is left to the address guard', () => {
    expect(refuse(type, {})).toEqual([{ field: 'url', message: 'url is required' }]);
    expect(refuse(type, { url: null })).toEqual([{ field: 'url', message: 'url must be a string' }]);
    for (const link of ['', 'not a link', 'ftp://example.com', `https://example.com/${'x'.repeat(3000)}`]) {
      expect(accepts(type, { url: link })).toBe(true);
      const kind = kindOf(type);
      expect(kind.links(kind.schema.parse({ ...addressing, url: link }))).toEqual([{ field: 'url', url: link }]);
    }
  });

  test('says what it is delivered as [audio.voice-note]', () => {
    const as = { image: 'image', document: 'document', video: 'video', audio: 'voice', sticker: 'sticker' }[type];
    expect(kindOf(type).media).toMatchObject({ field: 'url', as });
  });
});

test.each(['image', 'video'] as const)('%s has a caption and a type', (type) => {
  expect(accept(type, { url, caption: ' hi\n', mime_type: 'image/svg+xml', filename: 'a/b' })).toEqual({
    caption: ' hi\n',
    mime_type: 'image/svg+xml',
  });
});

test.each(['audio', 'sticker'] as const)('%s has neither caption nor file name nor type [audio.fields]', (type) => {
  expect(accept(type, { url, caption: 7, filename: '/', mime_type: 'x' })).toEqual({});
});

describe.each(['image', 'document', 'video'] as const)('mime_type of %s', (type) => {
  test.each(['image/png', 'application/vnd.ms-excel', 'image/svg+xml', 'X/Y', `a/${'b'.repeat(126)}`])('takes %s', (mime_type) => {
    expect(accept(type, { url, mime_type })).toMatchObject({ mime_type });
  });

  test.each(['', 'png', '/png', 'image/', 'a/b/c', 'image /png', 'image/png; q=1', 'image/*', 'image/png\n', 'ïmage/png'])(
    'refuses %j [mime.shape]',
    (mime_type) => {
      expect(refuse(type, { url, mime_type })).toEqual([{ field: 'mime_type', message: 'mime_type must have the form type/subtype' }]);
    },
  );

  test('is at most 128 characters', () => {
    expect(refuse(type, { url, mime_type: `a/${'b'.repeat(127)}` })).toEqual([
      { field: 'mime_type', message: 'mime_type must be at most 128 characters' },
    ]);
  });
});

describe('document filename', () => {
  test.each(['Invoice 1042.pdf', '...', '.env', 'a..b', ' ', 'Übersicht 漢字 🎉.xlsx', astral.repeat(255)])(
    'takes %j as it is',
    (filename) => {
      expect(accept('document', { url, filename })).toEqual({ filename });
    },
  );

  test.each(['.', '..', 'a/b', '/', '\\', 'a\\b', '../x', 'a\0b', 'a\nb', 'a\tb', '\u007f', '\u0085', '\u001f.pdf'])(
    'refuses %j [filename.refused]',
    (filename) => {
      expect(refuse('document', { url, filename })).toEqual([
        { field: 'filename', message: 'filename must not contain slashes or control characters and must not be "." or ".."' },
      ]);
    },
  );

  test('property: a name is kept exactly or refused, never rewritten [filename.kept]', () => {
    const pieces = fc.constantFrom('a', '.', '/', '\\', '\n', '\0', 'é', astral, ' ', '\u009f');
    fc.assert(
      fc.property(fc.array(pieces, { minLength: 1, maxLength: 6 }), (parts) => {
        const filename = parts.join('');
        const unsafe = parts.some((part) => ['/', '\\', '\n', '\0', '\u009f'].includes(part)) || filename === '.' || filename === '..';
        if (unsafe) expect(refusedFields('document', { url, filename })).toEqual(['filename']);
        else expect(accept('document', { url, filename })).toEqual({ filename });
      }),
    );
  });

  test.each([
    ['https://example.com/a/price-list.pdf', 'price-list.pdf'],
    ['https://example.com/report.pdf?download=1#page=2', 'report.pdf'],
    ['https://example.com/My%20Report%20%C3%BC.pdf', 'My Report ü.pdf'],
    ['https://example.com/übersicht.pdf', 'übersicht.pdf'],
    ['https://example.com/folder/', 'folder'],
    ['https://example.com/', 'document'],
    ['https://example.com', 'document'],
    ['https://example.com/a%2Fb%5Cc.pdf', 'a_b_c.pdf'],
    ['https://example.com/..%2F..%2Fetc%2Fpasswd', '.._.._etc_passwd'],
    ['https://example.com/%2e%2e', 'document'],
    ['https://example.com/a/%2e', 'a'],
    ['https://example.com/a%00b%0A.pdf', 'a_b_.pdf'],
    ['https://example.com/%20', 'document'],
    ['https://example.com/caf%E9.pdf', 'caf%E9.pdf'],
    ['https://example.com/100%.pdf', '100%.pdf'],
    ['https://example.com/Rabatt%20100%%20f%C3%BCr%20alle.pdf', 'Rabatt 100% für alle.pdf'],
    ['https://example.com/caf%E9%20%C3%BC.pdf', 'caf%E9 ü.pdf'],
    ['https://example.com/%C0%AFa%ED%A0%80.pdf', '%C0%AFa%ED%A0%80.pdf'],
    ['not a link', 'document'],
    ['', 'document'],
    [`https://example.com/${'a'.repeat(300)}.pdf`, `${'a'.repeat(251)}.pdf`],
    [`https://example.com/${encodeURIComponent(astral.repeat(300))}`, astral.repeat(255)],
  ])('from the link %s: %s [media.link-name]', (link, filename) => {
    expect(accept('document', { url: link })).toEqual({ filename });
    expect(accept('document', { url: link, filename: '' })).toEqual({ filename });
  });

  test('property: a name taken from a link would be accepted as a filename [filename.from-link]', () => {
    const link = fc.oneof(
      fc.webUrl({ withQueryParameters: true }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary', maxLength: 400 }).map((path) => `https://example.com/${encodeURIComponent(path.toWellFormed())}`),
      fc
        .array(fc.constantFrom('%2f', '%5c', '%00', '.', '%2e', '/', '%', 'a', '%ff', '%20'))
        .map((parts) => `https://e.com/${parts.join('')}`),
    );
    fc.assert(
      fc.property(link, (from) => {
        const { filename } = accept('document', { url: from });
        expect(filename).not.toBe('');
        expect(accept('document', { url: from, filename })).toEqual({ filename });
      }),
      { numRuns: 500 },
    );
  });
});
