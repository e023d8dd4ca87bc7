import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that is kept compressed. */
export interface GzippedFile {
  readonly type: string;
  readonly gzipped: Buffer;
  /** In quotes. */
  readonly etag: string;
}

/** The ETag of a file with these compressed bytes. */
export function etagOf(gzipped: Uint8Array): string {
  return `"${hash('sha256', gzipped, 'base64url').slice(0, 22)}"`;
}

/** Answers with the file, compressed for whoever takes it so, and with 304 to those who have it. */
export async function sendGzipped(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, gzipped, etag }: GzippedFile,
): Promise<FastifyReply> {
  reply.type(type).header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding');
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(await promisify(gunzip)(gzipped));
  return reply.header('content-encoding', 'gzip').send(gzipped);
}
