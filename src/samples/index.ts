import { programFile } from '../core/index.ts';

// The sample files that the examples send: small files of the project's own (samples/, drawn by scripts/samples.ts), which the gateway serves
// itself, so that an example can be sent as it is.

const types = {
  'photo.jpg': 'image/jpeg',
  'parcel.png': 'image/png',
  'price-list.pdf': 'application/pdf',
  'invoice.pdf': 'application/pdf',
  'tour.mp4': 'video/mp4',
  'greeting.ogg': 'audio/ogg',
  'reminder.mp3': 'audio/mpeg',
  'thumbs-up.webp': 'image/webp',
  'mascot.png': 'image/png',
} as const;

export type SampleName = keyof typeof types;

export const sampleNames = Object.keys(types) as readonly SampleName[];

export const samplesFolder: URL = programFile('samples/');

export function isSampleName(text: string): text is SampleName {
  return Object.hasOwn(types, text);
}

export function sampleType(name: SampleName): string {
  return types[name];
}

/** The address of the service in examples, until somebody knows the true one. */
export const exampleBase = 'https://gateway.example.com';

/** The address of a sample file, as examples give it. */
export function sampleUrl(name: SampleName): string {
  return `${exampleBase}/samples/${name}`;
}

/** The JSON text with the sample files at this address of the service. */
export function samplesAt(json: string, base: string): string {
  const address = JSON.stringify(`${withoutSlash(base)}/samples/`).slice(1, -1);
  // A replacement function, because `$` in an address would otherwise mean something.
  return json.replaceAll(`${exampleBase}/samples/`, () => address);
}

/**
 * The sample file that a link names, if it is exactly the address of one at one of these addresses of the service. Nothing else of the
 * service can be named: no other path, no query, no other spelling that leads to another file.
 */
export function sampleAt(link: string, bases: readonly string[]): SampleName | null {
  const url = URL.parse(link);
  if (url === null) return null;
  const name = url.pathname.slice(url.pathname.lastIndexOf('/') + 1);
  if (!isSampleName(name)) return null;
  return bases.some((base) => URL.parse(`${withoutSlash(base)}/samples/${name}`)?.href === url.href) ? name : null;
}

function withoutSlash(base: string): string {
  return base.endsWith('/') ? base.slice(0, -1) : base;
}
