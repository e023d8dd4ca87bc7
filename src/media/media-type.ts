import mime from 'mime';
import type { MediaUse } from '../kinds/index.ts';
import { wrongKind } from './fetch-failure.ts';

/** What is known of a file when its media type is decided. */
export interface TypeClues {
  readonly use: MediaUse;
  /** The media type of its bytes (found-type.ts). */
  readonly found: string | null;
  /** `mime_type` of the request. */
  readonly declared: string | undefined;
  /** The name under which a document arrives. */
  readonly filename: string | undefined;
  /** The Content-Type of its server. */
  readonly contentType: string | null;
  /** The type when nothing is known. */
  readonly fallback: string;
}

/** Containers of both pictures and sound; only a tool that opens them finds which of them there are. */
const moving = 'video/|application/(?:ogg|mxf|vnd\\.ms-asf|vnd\\.rn-realmedia)$';
/** A drawing in XML is no picture that phones show. */
const still = /^image\/(?!svg)/;
/** The types that a kind can have. */
const families: Readonly<Record<Exclude<MediaUse, 'document'>, RegExp>> = {
  image: still,
  sticker: still,
  video: new RegExp(`^(?:${moving})`),
  voice: new RegExp(`^(?:audio/|${moving})`),
};

/** Containers whose bytes leave the type open, and the types that each can be; the file's name or its server decides. */
const containers: Readonly<Record<string, RegExp>> = {
  'text/plain': /./,
  'application/json': /json$|^application\/vnd\./,
  'application/xml': /xml$|^application\/vnd\./,
  'application/zip': /\+zip$|^application\/(?:vnd\.|java-archive$)/,
  'application/x-cfb': /^application\/(?:vnd\.|msword$)/,
};

// type/subtype out of HTTP tokens (RFC 9110 §8.3.1), within the 128 characters the API allows for mime_type.
const shape = /^(?=.{3,128}$)(?:application|audio|chemical|font|image|message|model|text|video|x-[a-z]+)\/[a-z0-9!#$%&'*+.^_`|~-]+$/;
// What servers send when they do not know the type, or do not want the file to be shown.
const noType = /octet-?stream|download|unknown|\*/;

/**
 * The media type a file is sent with (decisions §7). Throws GatewayError `media_fetch_failed` when its bytes are something that cannot be
 * sent as its kind at all.
 */
export function chooseMediaType({ use, found, declared, filename, contentType, fallback }: TypeClues): string {
  const ofServer = serverType(contentType);
  if (use === 'document') return declared ?? documentType(found, filename, ofServer) ?? fallback;
  const family = families[use];
  if (found !== null && !family.test(found)) throw wrongKind(use, found);
  const wanted = usualName(declared ?? '');
  if (family.test(wanted)) return wanted;
  return found ?? (ofServer !== null && family.test(ofServer) ? ofServer : fallback);
}

function documentType(found: string | null, filename: string | undefined, ofServer: string | null): string | null {
  // Without the slash the library takes the name for a bare extension.
  const named = filename === undefined ? null : mime.getType(`/${filename}`);
  const byName = named === null || noType.test(named) ? null : named;
  // Bytes that are no text are none, whatever the default type of a server is.
  if (found === null) return byName ?? (ofServer === 'text/plain' || ofServer === 'text/html' ? null : ofServer);
  const open = containers[found];
  const more = open === undefined ? undefined : [byName, ofServer].find((type) => type !== null && open.test(type));
  return more ?? found.replace(/;.*/, '');
}

function serverType(contentType: string | null): string | null {
  const ofServer = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return shape.test(ofServer) && !noType.test(ofServer) ? usualName(ofServer) : null;
}

/** Names of media types that are in use, and the name that phones know the same format by. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['image/jpg', 'image/pjpeg', 'image/x-jpeg', 'image/x-jpg'],
  'image/png': ['image/x-png', 'image/apng', 'image/vnd.mozilla.apng'],
  'image/webp': ['image/x-webp'],
  'image/bmp': ['image/x-bmp', 'image/x-ms-bmp'],
  'image/tiff': ['image/tif', 'image/x-tiff'],
  'audio/mpeg': ['audio/mp3', 'audio/x-mp3', 'audio/x-mpeg', 'audio/mpeg3', 'audio/x-mpeg-3'],
  'audio/mp4': ['audio/m4a', 'audio/x-m4a'],
  'audio/wav': ['audio/x-wav', 'audio/wave', 'audio/vnd.wave'],
  'audio/ogg': ['audio/x-ogg', 'audio/opus'],
  'audio/ac3': ['audio/vnd.dolby.dd-raw'],
  'video/mp4': ['video/x-mp4', 'video/x-m4v'],
  'video/quicktime': ['video/mov', 'video/x-quicktime'],
  'video/x-matroska': ['video/matroska', 'video/mkv'],
  'video/x-msvideo': ['video/avi', 'video/msvideo', 'video/vnd.avi'],
  'video/mpeg': ['video/mpg', 'video/mp1s', 'video/mp2p'],
  'application/pdf': ['application/x-pdf', 'application/acrobat'],
  'application/zip': ['application/x-zip', 'application/x-zip-compressed'],
  'application/json': ['text/json'],
  'application/xml': ['text/xml'],
  'text/csv': ['text/x-csv', 'application/csv', 'application/x-csv'],
  'text/vcard': ['text/x-vcard'],
};

const names = new Map(Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name] as const)));

/** The usual name of a media type, in lower case except for its parameters. */
export function usualName(type: string): string {
  const [bare = '', ...parameters] = type.split(';');
  const lower = bare.trim().toLowerCase();
  return [names.get(lower) ?? lower, ...parameters].join(';');
}
