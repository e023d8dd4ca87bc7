import { sampleUrl } from '../samples/index.ts';
import { defineKind } from './define-kind.ts';
import { caption, mediaUrl, mimeType, text } from './fields.ts';

const filenameLength = 255;
const fallbackName = 'document';

// Ranges instead of \p{Cc}: readers of the JSON Schema often match without the u flag.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here.
const safeName = /^(?!\.{1,2}$)[^/\\\u0000-\u001f\u007f-\u009f]*$/;

const filename = text(0, filenameLength)
  .regex(safeName, { error: 'must not contain slashes or control characters and must not be "." or ".."' })
  .optional()
  .meta({ description: 'The file name the recipient sees. If left out or empty, it is taken from the link.' });

/** A file from a link. */
export const document = defineKind({
  type: 'document',
  summary: 'Send a document',
  description: 'Any file, shown with its name. An unsafe file name is refused, never changed.',
  media: { as: 'document', fallbackMimeType: 'application/octet-stream' },
  fields: { url: mediaUrl, filename, caption, mime_type: mimeType },
  content: ({ url, filename: given, ...rest }) => ({ ...rest, filename: given || nameFromLink(url) }),
  examples: {
    plain: { url: sampleUrl('price-list.pdf') },
    named: {
      url: sampleUrl('invoice.pdf'),
      filename: 'Invoice 1042.pdf',
      caption: 'Your invoice for October',
      mime_type: 'application/pdf',
    },
  },
});

/** The last segment of the link's path, percent-decoded and made a safe file name; `document` when nothing usable is left. */
function nameFromLink(link: string): string {
  const segment =
    URL.parse(link)
      ?.pathname.split('/')
      .findLast((part) => part !== '') ?? '';
  const name = shorten(
    percentDecoded(segment)
      .replace(/[/\\\p{Cc}]/gu, '_')
      .trim(),
  );
  return name === '' || name === '.' || name === '..' ? fallbackName : name;
}

/** What may be one character of UTF-8, percent-encoded. */
const encodedCharacter = /%[0-7][0-9a-f]|%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}/gi;

/** Every character that is percent-encoded is decoded; all else, such as a lone % or bytes that are not UTF-8, stays. */
function percentDecoded(segment: string): string {
  return segment.replace(encodedCharacter, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** The name within the length limit; the stem is cut and the extension kept, because it decides what opens the file. */
function shorten(name: string): string {
  const points = [...name];
  if (points.length <= filenameLength) return name;
  const extension = /\.[A-Za-z0-9]{1,16}$/.exec(name)?.[0] ?? '';
  return points.slice(0, filenameLength - extension.length).join('') + extension;
}
