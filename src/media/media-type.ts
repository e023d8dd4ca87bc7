import mime from 'mime';
import type { MediaUse } from '../kinds/index.ts';
import { wrongKind } from './fetch-failure.ts';
import { usualName } from './type-names.ts';

/** What is known of a file when its media type is decided. */
export interface TypeClues {
  readonly use: MediaUse;
  /** What its bytes tell (found-type.ts). */
  readonly found: string | null;
  /** `mime_type` of the request. */
  readonly declared: string | undefined;
  /** The name under which a document arrives. */
  readonly filename: string | undefined;
  /** What its server says of it. */
  readonly contentType: string | null;
  /** The type when nothing is known. */
  readonly fallback: string;
}

/** Containers of both pictures and sound; which of them there are is told by a tool that opens them. */
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

/** What the bytes of some formats leave open, for a file's name or its server to say: the types of which each is the container. */
const containers: Readonly<Record<string, RegExp>> = {
  'text/plain': /./,
  'application/json': /json$|^application\/vnd\./,
  'application/xml': /xml$|^application\/vnd\./,
  'application/zip': /\+zip$|^application\/(?:vnd\.|java-archive$)/,
  'application/x-cfb': /^application\/(?:vnd\.|msword$)/,
};

// type/subtype out of HTTP tokens (RFC 9110 §8.3.1), within the 128 characters the API allows for mime_type.
const shape = /^(?=.{3,128}$)(?:application|audio|chemical|font|image|message|model|text|video|x-[a-z]+)\/[a-z0-9!#$%&'*+.^_`|~-]+$/;
// What servers say when they do not know, or do not want the file to be shown.
const noType = /octet-?stream|download|unknown|\*/;

/**
 * The media type a file is sent with (decisions §7). Throws GatewayError `media_fetch_failed` when its bytes are something that cannot be
 * sent as its kind at all.
 */
export function chooseMediaType({ use, found, declared, filename, contentType, fallback }: TypeClues): string {
  const said = typeSaid(contentType);
  if (use === 'document') return declared ?? documentType(found, filename, said) ?? fallback;
  const family = families[use];
  if (found !== null && !family.test(found)) throw wrongKind(use, found);
  const wanted = usualName(declared ?? '');
  if (family.test(wanted)) return wanted;
  return found ?? (said !== null && family.test(said) ? said : fallback);
}

function documentType(found: string | null, filename: string | undefined, said: string | null): string | null {
  // The slash tells the library that this is no bare extension.
  const named = filename === undefined ? null : mime.getType(`/${filename}`);
  const byName = named === null || noType.test(named) ? null : named;
  // Bytes that are no text are none whatever a server says by default.
  if (found === null) return byName ?? (said === 'text/plain' || said === 'text/html' ? null : said);
  const open = containers[found];
  const more = open === undefined ? undefined : [byName, said].find((type) => type !== null && open.test(type));
  return more ?? found.replace(/;.*/, '');
}

function typeSaid(contentType: string | null): string | null {
  const said = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return shape.test(said) && !noType.test(said) ? usualName(said) : null;
}
