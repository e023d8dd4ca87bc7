import { pipeline, type Transform } from 'node:stream';
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
  // Compressed data can be endless without ever yielding a byte, so what comes and goes is counted before and after each coding.
  const count = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of chunks) {
      // An answer that is complete has no connection left whose end would end the decoding.
      deadline.signal.throwIfAborted();
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  };
  const wire = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      nextChunk();
      yield chunk;
    }
  };
  let empty = true;
  try {
    nextChunk();
    for await (const chunk of decode(wire(), answer.header('content-encoding'), count)) {
      empty &&= chunk.length === 0;
      yield chunk;
    }
  } catch (error) {
    deadline.signal.throwIfAborted();
    if (error instanceof GatewayError) throw error;
    throw fetchFailure(notHttp(error) ?? 'the connection ended before the file was complete', error);
  }
  if (empty) throw fetchFailure('it is empty');
}

type Count = (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>;

/** Undoes the content codings (RFC 9110 §8.4.1). We ask for none, but some servers store files compressed and always send them so. */
async function* decode(source: AsyncIterable<Buffer>, contentEncoding: string | null, count: Count): AsyncGenerator<Buffer> {
  // What is no coding (a character set, a word of the storage behind the server) changes nothing; browsers ignore it too.
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => Object.hasOwn(decoders, coding));
  if (codings.length > maxCodings) throw fetchFailure('its server has encoded it too many times');
  // The last one was applied last.
  for (const coding of codings.reverse()) source = undo(count(source), decoders[coding as keyof typeof decoders]);
  yield* count(source);
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
