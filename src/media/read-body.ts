import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { GatewayError } from '../core/index.ts';
import type { Deadline } from './deadline.ts';
import { fetchFailure } from './fetch-failure.ts';
import type { Answer } from './pinned-request.ts';

const idleMs = 30_000;

/**
 * The bytes of the file in an answer, content coding removed. Counts them as they come and stops at `maxBytes`, whatever the headers say.
 * Throws GatewayError `media_fetch_failed` when the file is too large, empty, cut off, or stops coming for 30 s.
 */
export async function* readBody(answer: Answer, maxBytes: number, deadline: Deadline): AsyncGenerator<Buffer, void, undefined> {
  const tooLarge = () => fetchFailure(`it is larger than ${maxBytes} bytes`);
  const nextChunk = () => deadline.phase(idleMs, () => fetchFailure('its server stopped sending'));
  if (Number(answer.header('content-length') ?? 0) > maxBytes) throw tooLarge();
  let size = 0;
  try {
    nextChunk();
    for await (const chunk of decoded(countWire(answer.body, maxBytes, tooLarge, nextChunk), answer.header('content-encoding'))) {
      size += chunk.length;
      if (size > maxBytes) throw tooLarge();
      yield chunk;
    }
  } catch (error) {
    deadline.signal.throwIfAborted();
    throw error instanceof GatewayError ? error : fetchFailure('the connection ended before the file was complete', error);
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

/** Undoes one content coding (RFC 9110 §8.4.1). We ask for none, but some servers store files compressed and always say so. */
function decoded(source: AsyncGenerator<Buffer>, contentEncoding: string | null): AsyncIterable<Buffer> {
  const coding = (contentEncoding ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return source;
  const decoder = createDecoder(coding);
  // The decoder carries the error to whoever reads from it.
  return pipeline(source, decoder, () => {}) as AsyncIterable<Buffer>;
}

function createDecoder(coding: string) {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip();
  if (coding === 'deflate') return createInflate();
  if (coding === 'br') return createBrotliDecompress();
  if (coding === 'zstd') return createZstdDecompress();
  throw fetchFailure('its server sends it in an unknown content encoding');
}
