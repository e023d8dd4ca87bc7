import type { Seeded } from './seeded.ts';

/** Bytes that are almost, or not at all, an HTTP request. */
export function malformed(key: string, random: Seeded): Buffer {
  const head = `apikey: ${key}\r\ncontent-type: application/json\r\n`;
  const post = `POST /v1/messages/text HTTP/1.1\r\nhost: x\r\n${head}`;
  const texts: readonly (() => string)[] = [
    () => 'GET\r\n\r\n',
    () => '\r\n\r\n\r\n',
    () => `GET /health HTTP/1.1\r\n\r\n`,
    () => 'GET /health HTTP/1.0\r\n\r\n',
    () => 'GET /health HTTP/9.9\r\nhost: x\r\n\r\n',
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => 'PRI *x HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => 'PRI *\r\n\r\n',
    () => 'DESCRIBE /health RTSP/1.0\r\n\r\n',
    () => 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'TRACE /health HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'FROBNICATE /health HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'CONNECT example.com:443 HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'GET /health HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    () => 'GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
    () => `${post}content-length: 5\r\nexpect: the-unexpected\r\n\r\n{}   `,
    () => `${post}content-length: 100\r\n\r\n{"text":`,
    () => `${post}content-length: -1\r\n\r\n{}`,
    () => `${post}content-length: 1e3\r\n\r\n{}`,
    () => `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
    () => `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n{}`,
    () => `${post}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    () => `${post}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    () => `${post}transfer-encoding: chunked\r\n\r\n2\r\n{}`,
    () => `${post}transfer-encoding: chunked\r\n\r\nffffffffffffffff\r\n{}`,
    () => `${post}content-length: 99999999999\r\n\r\n{}`,
    () => `${post}x-long: ${'a'.repeat(20_000)}\r\n\r\n`,
    () => `${post}${'x: y\r\n'.repeat(3000)}\r\n`,
    () => `${post}no colon here\r\n\r\n`,
    () => `${post}x\u0000y: z\r\n\r\n`,
    () => `${post}x: a\r\n b\r\n\r\n`,
    () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    () => 'GET /health\u0000 HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'GET /\u00e4\u00f6 HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'GET //// HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'GET ?x=1 HTTP/1.1\r\nhost: x\r\n\r\n',
    () => 'GET http:// HTTP/1.1\r\nhost: x\r\n\r\n',
    () => String.fromCharCode(...Array.from({ length: 1 + random.below(300) }, () => random.below(256))),
    () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  ];
  const bytes = Buffer.from(random.pick(texts)(), 'latin1');
  if (random.chance(0.3) && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  return random.chance(0.1) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}
