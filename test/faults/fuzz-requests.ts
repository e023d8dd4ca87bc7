import { isIP } from 'node:net';
import { allKinds } from '../../src/kinds/index.ts';
import { bodies } from '../compatibility/evolution-bodies.ts';
import { mutated } from './fuzz-json.ts';
import type { Seeded } from './seeded.ts';

/** Whom the requests come from and what they may name. */
export interface FuzzWorld {
  readonly keys: readonly string[];
  readonly instanceIds: readonly string[];
  /** An image that media may be fetched from; nothing else may be reached. */
  readonly imageUrl: string;
}

/** One request as it goes over the wire. */
export interface FuzzRequest {
  readonly method: string;
  readonly bytes: Buffer;
}

/** Endpoints that take a body, each with bodies that are accepted. */
type Endpoint = { readonly method: 'POST' | 'PATCH'; readonly path: string; readonly bodies: readonly object[]; readonly fetches: boolean };

/** Of the paths of Evolution API: what names no file, so that nothing is fetched. */
const evolutionBodies = bodies(() => '').filter(({ path }) => !['sendMedia', 'sendWhatsAppAudio', 'sendSticker'].includes(path));

/** Makes random requests: every endpoint with a body, valid and spoiled in every layer from the JSON values to the bytes and headers. */
export function createFuzzRequests(world: FuzzWorld, random: Seeded): () => FuzzRequest {
  const endpoints = endpointsOf(world, random);

  return () => {
    const endpoint = random.pick(endpoints);
    const valid = random.pick(endpoint.bodies);
    let body = spoiledBytes(random.chance(0.1) ? JSON.stringify(valid) : mutated(valid, random), random);
    if (endpoint.fetches && reachesOut(body, world.imageUrl)) body = Buffer.from(JSON.stringify(valid));
    const method = random.chance(0.01) ? random.pick(['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD', 'QUERY']) : endpoint.method;
    const target = random.chance(0.04) ? spoiledPath(endpoint.path, random) : endpoint.path;
    return { method, bytes: onTheWire(method, target, headersOf(world, random), body, random) };
  };
}

function endpointsOf({ instanceIds, imageUrl }: FuzzWorld, random: Seeded): Endpoint[] {
  const address = () => ({ instance_id: random.pick(instanceIds), to: `49170123${1000 + random.below(8000)}` });
  const sends = allKinds.map(
    (kind): Endpoint => ({
      method: 'POST',
      path: `/v1/messages/${kind.type}`,
      fetches: kind.media !== null,
      bodies: Object.values(kind.examples).flatMap((example) => [
        { ...address(), ...example },
        {
          ...address(),
          ...example,
          ...(kind.media === null ? {} : { url: imageUrl }),
          quoted_message_id: 'ABCDEF0123',
          quoted_from_me: true,
        },
      ]),
    }),
  );
  const of = (method: 'POST' | 'PATCH', path: string, ...bodies: object[]): Endpoint => ({ method, path, bodies, fetches: false });
  return [
    ...sends,
    of('POST', '/v1/numbers/check', {
      instance_id: random.pick(instanceIds),
      numbers: ['+49 170 1230100', '491701230000', '491701230002'],
    }),
    of('POST', '/v1/instances', { label: 'A number' }, { network: 'sandbox' }, {}),
    of('PATCH', `/v1/instances/${random.pick(instanceIds)}`, { label: 'Renamed' }),
    of('POST', `/v1/instances/${random.pick(instanceIds)}/passkey`, {
      credential: {
        id: '3q2-7w',
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: 'e30', signature: 'MEUCIQ' },
      },
    }),
    ...evolutionBodies.map(({ path, body }) =>
      of('POST', `/message/${path}/${random.pick(instanceIds)}`, { number: `49170123${1000 + random.below(8000)}`, ...body }),
    ),
    of('POST', '/instance/create', { instanceName: 'A number', integration: 'WHATSAPP-BAILEYS', qrcode: true }),
    of('POST', '/sandbox/scan', { code: 'sandbox@none', phone_number: '4917200009999' }),
    of('POST', '/sandbox/unlink', { phone_number: '4917200009998' }),
  ];
}

/** The body's bytes, sometimes cut, flipped, in another encoding, or nothing like JSON at all. */
function spoiledBytes(text: string, random: Seeded): Buffer {
  const bytes = Buffer.from(text);
  switch (random.below(60)) {
    case 0:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 1:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 2:
      return Buffer.from(text, 'utf16le');
    case 3:
      return Buffer.from(text, 'latin1');
    case 4:
      return Buffer.from(Array.from({ length: random.below(400) }, () => random.below(256)));
    case 5:
      return Buffer.concat([bytes, Buffer.from(random.pick(['{}', ',', '\u0000', ']', ' // end']))]);
    case 6:
    case 7: {
      const flipped = Buffer.from(bytes);
      for (let flips = 1 + random.below(3); flips > 0; flips--) flipped[random.below(flipped.length)] = random.below(256);
      return flipped;
    }
    case 8:
      return random.chance(0.1) ? Buffer.from(`{"text":"${'x'.repeat(131_060 + random.below(30))}"}`) : Buffer.alloc(0);
    default:
      return bytes;
  }
}

/** Whether a media link of the body would make the gateway connect to an address outside: names resolve to nothing here, addresses do not. */
function reachesOut(body: Buffer, imageUrl: string): boolean {
  let url: unknown;
  try {
    url = (JSON.parse(body.toString()) as { url?: unknown } | null)?.url;
  } catch {
    return false;
  }
  if (typeof url !== 'string' || url === imageUrl || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

function spoiledPath(path: string, random: Seeded): string {
  const spoiled: readonly (() => string)[] = [
    () => `${path}?${'a=%00&'.repeat(random.below(20))}apikey=x&__proto__[x]=1`,
    () => `${path}/%zz`,
    () => `${path}%2f..%2f`,
    () => path.slice(0, random.below(path.length) + 1),
    () => `/${path}`,
    () => `${path}/${'x'.repeat(random.below(6000))}`,
    () => path.toUpperCase(),
    () => '*',
    () => `http://elsewhere.example${path}`,
    () => `/v1/instances/${encodeURIComponent(String.fromCodePoint(random.below(0xd800)))}`,
    () => `/v1/instances/${'9'.repeat(200)}/qr-status`,
    () => `/sandbox/messages?to=${encodeURIComponent('\u0000')}&to=1`,
  ];
  return random.pick(spoiled)();
}

function headersOf({ keys }: FuzzWorld, random: Seeded): string[] {
  const headers = [`host: ${random.chance(0.01) ? 'x y:99999' : 'gateway'}`];
  if (!random.chance(0.01)) headers.push(`apikey: ${random.chance(0.01) ? 'mgw_no_such_key' : random.pick(keys)}`);
  if (!random.chance(0.01)) {
    const other = random.pick([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/json;;',
      ';',
      'application/vnd.api+json',
    ]);
    headers.push(`content-type: ${random.chance(0.02) ? other : 'application/json'}`);
  }
  if (random.chance(0.25))
    headers.push(
      `idempotency-key: ${random.chance(0.2) ? random.pick(['short', 'with space', 'ü'.repeat(9), 'x'.repeat(256), '']) : `fuzz-key-${random.below(4)}`}`,
    );
  if (random.chance(0.02)) {
    headers.push(
      random.pick([
        'accept-encoding: gzip',
        'content-encoding: gzip',
        `x-forwarded-for: ${'1.2.3.4,'.repeat(50)}`,
        'x-request-id: 1',
        'cookie: a=b; __proto__=x',
        'origin: null',
        'idempotency-key: second-key',
        'apikey: second',
        'expect: 100-continue',
        'te: trailers',
        `x-long: ${'y'.repeat(8000)}`,
        'authorization: Bearer x',
        'upgrade: websocket',
        'connection: upgrade',
        'range: bytes=0-1',
      ]),
    );
  }
  return headers;
}

function onTheWire(method: string, target: string, headers: string[], body: Buffer, random: Seeded): Buffer {
  const head = (more: string) => Buffer.from(`${method} ${target} HTTP/1.1\r\n${[...headers, more].join('\r\n')}\r\n\r\n`, 'latin1');
  if (!random.chance(0.05)) return Buffer.concat([head(`content-length: ${body.length}`), body]);
  const cut = random.below(body.length + 1);
  const chunks = [body.subarray(0, cut), body.subarray(cut)].filter((chunk) => chunk.length > 0);
  const framed = chunks.flatMap((chunk) => [Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
  return Buffer.concat([head('transfer-encoding: chunked'), ...framed, Buffer.from('0\r\n\r\n')]);
}
