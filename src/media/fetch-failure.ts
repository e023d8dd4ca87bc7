import { GatewayError } from '../core/index.ts';
import type { MediaUse } from '../kinds/index.ts';

/**
 * The error of a link that passed the guard and could not be downloaded. `reason` is shown to the caller, who can act on it; a library's error
 * goes into `cause`, for the log.
 */
export function fetchFailure(reason: string, cause?: unknown): GatewayError {
  const error = new GatewayError('media_fetch_failed', `The file behind the link could not be downloaded: ${reason}.`);
  if (cause !== undefined) error.cause = cause;
  return error;
}

/** The reason when an answer was not valid HTTP, as the error of Node's parser shows; null: it was. */
export function notHttp(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // An end in the middle is a broken connection, and headers without end are no mistake in their form.
  const others = ['HPE_INVALID_EOF_STATE', 'HPE_HEADER_OVERFLOW'];
  return code.startsWith('HPE_') && !others.includes(code) ? 'the answer of its server is not valid HTTP' : null;
}

/** How a refusal calls what it found. */
const calledBy: readonly (readonly [RegExp, string])[] = [
  [/^text\/html|xhtml/, 'a web page'],
  [/^image\/svg/, 'a drawing in SVG'],
  [/json$/, 'JSON'],
  [/xml$/, 'XML'],
  [/^text\//, 'text'],
  [/\/pdf$/, 'a PDF'],
  [/^image\//, 'a picture'],
  [/^audio\//, 'sound'],
  [/^video\//, 'a video'],
  [/\/(?:x-msdownload|x-elf|x-mach-binary|java-vm|wasm|x-deb|x-rpm|vnd\.android\.package-archive|java-archive)$/, 'a program'],
  [/zip|compress|archive|x-tar|x-xz|lz|x-bzip2|zstd|x-cpio|x-arj/, 'an archive'],
];
const wanted: Readonly<Record<MediaUse, string>> = {
  image: 'an image',
  document: 'a document',
  video: 'a video',
  voice: 'audio',
  sticker: 'a sticker',
};

/** The error of a file that is there but is nothing that could be sent as its kind. `found`: the media type of its bytes. */
export function wrongKind(use: MediaUse, found: string): GatewayError {
  const name = calledBy.find(([pattern]) => pattern.test(found))?.[1];
  const what = name === undefined ? found : `${name} (${found})`;
  return new GatewayError('media_fetch_failed', `The file behind the link cannot be sent as ${wanted[use]}: it is ${what}.`, { found });
}
