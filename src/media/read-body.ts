import { pipeline, type Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib';
import { GatewayError } from '../core/index.ts';
import type { Deadline } from './deadline.ts';
import { fetchFailure, notHttp } from './fetch-failure.ts';
import type { Answer } from './pinned-request.ts';

const idleMs = 30_000;

const maxCodings = 3;
type Decoder = (first: number) => Transform;
const decoders = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  zstd: () => createZstdDecompress(),
  // Many servers leave out the envelope that the name stands for; with it, the first byte ends in 8 (RFC 1950 §2.2).
  deflate: (first) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw()),
} satisfies Record<string, Decoder>;

/**
 * The bytes of the file in an answer, content coding removed. Counts them as they come and stops at `maxBytes`, whatever the headers declare.
 * Throws GatewayError `media_fetch_failed` when the file is too large, empty, cut off, or stops coming for 30 s.
 */
export async function* readBody(answer: Answer, maxBytes: number, deadline: Deadline): AsyncGenerator<Buffer, void, undefined> {
  const tooLarge = () => fetchFailure(`it is larger than ${maxBytes} bytes`);
  const nextChunk = () => deadline.phase(idleMs, () => fetchFailure('its server stopped sending'));
  if (Number(answer.header('content-length') ?? 0) > maxBytes) throw tooLarge();
  let size = 0;
  try {
    nextChunk();
    for await (const chunk of decode(countWire(answer.body, maxBytes, tooLarge, nextChunk), answer.header('content-encoding'))) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error instanceof GatewayError) throw error;
    throw fetchFailure(notHttp(error) ?? 'the connection ended before the file was complete', error);
  }
  if (size === 0) throw fetchFailure('it is empty');
}

/** The bytes on the wire, counted too: compressed data can be endless without ever yielding a byte. */
async function* countWire(body: Readable, maxBytes: number, tooLarge: () => Error, onChunk: () => void): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    onChunk();
    yield chunk;
  }
}

/** Undoes the content codings (RFC 9110 §8.4.1). We ask for none, but some servers store files compressed and always send them so. */
async function* decode(source: AsyncIterable<Buffer>, contentEncoding: string | null): AsyncGenerator<Buffer> {
  // What is no coding (a character set, a word of the storage behind the server) changes nothing; browsers ignore it too.
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => Object.hasOwn(decoders, coding));
  if (codings.length > maxCodings) throw fetchFailure('its server has encoded it too many times');
  // The last one was applied last.
  for (const coding of codings.reverse()) source = undo(source, decoders[coding as keyof typeof decoders]);
  yield* source;
}

async function* undo(source: AsyncIterable<Buffer>, decoder: Decoder): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const all = async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  // The decoder carries the error to whoever reads from it.
  yield* pipeline(all, decoder(first.value[0] ?? 0), () => {}) as AsyncIterable<Buffer>;
}
