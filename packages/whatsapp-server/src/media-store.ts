import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getMediaKeys, type MediaType } from 'baileys';
import type { FaultBoard } from './fault-board.ts';
import type { Recorder } from './recorder.ts';

export interface MediaStoreOptions {
  /** The directory for the files. Its creator removes it. */
  readonly directory: string;
  readonly faults: FaultBoard;
  readonly record: Recorder;
  /** The `host:port` at which the files are served. */
  readonly host: () => string;
}

const uploadPaths = ['/mms/image/', '/mms/video/', '/mms/document/', '/mms/audio/'];

/** Takes encrypted media files over HTTPS, streamed to disk, and serves them. An upload must have the hash it announces and the right token. */
export class MediaStore {
  /** The token that `media_conn` hands out and every upload must carry. */
  readonly auth: string = randomBytes(16).toString('base64url');
  readonly #options: MediaStoreOptions;
  readonly #files = new Map<string, string>();

  constructor(options: MediaStoreOptions) {
    this.#options = options;
  }

  /** Stores an encrypted file from a simulated phone. Returns its path. */
  async keep(bytes: Buffer): Promise<string> {
    const file = join(this.#options.directory, randomBytes(12).toString('hex'));
    await writeFile(file, bytes);
    const path = `/v/t62/${randomBytes(12).toString('hex')}.enc`;
    this.#files.set(path, file);
    return path;
  }

  /** Keeps a file that a phone of the server's own has made, encrypted with a new key; where it is. */
  async keepEncrypted(bytes: Buffer, type: MediaType): Promise<{ mediaKey: Buffer; directPath: string }> {
    const mediaKey = randomBytes(32);
    const { iv, cipherKey, macKey } = await getMediaKeys(mediaKey, type);
    const cipher = createCipheriv('aes-256-cbc', cipherKey, iv);
    const body = Buffer.concat([cipher.update(bytes), cipher.final()]);
    const mac = createHmac('sha256', macKey ?? '')
      .update(iv)
      .update(body)
      .digest()
      .subarray(0, 10);
    return { mediaKey, directPath: await this.keep(Buffer.concat([body, mac])) };
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'https://localhost');
    if (request.method === 'POST') return await this.#upload(url, request, response);
    const file = this.#files.get(url.pathname);
    if (request.method !== 'GET' || !file) return reply(response, 404, { error: 'not found' });
    const fault = this.#options.faults.forDownload();
    if (fault === 'hang') return;
    if (fault === 'cut') return await cutInTheMiddle(file, response);
    await pipeline(createReadStream(file), response);
  }

  /** The encrypted file that a message points to. */
  async read(directPath: string): Promise<Buffer> {
    const file = this.#files.get(new URL(directPath, 'https://localhost').pathname);
    if (!file) throw new Error(`nothing was uploaded as ${directPath}`);
    return await readFile(file);
  }

  async #upload(url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#options.faults.forUpload();
    if (fault === 'refuse') {
      request.resume();
      return reply(response, 500, { error: 'internal server error' });
    }
    if (fault === 'cut') {
      request.once('data', () => request.socket.destroy());
      return;
    }
    const kind = uploadPaths.find((path) => url.pathname.startsWith(path));
    const token = decodeURIComponent(url.searchParams.get('token') ?? '');
    if (!kind || url.searchParams.get('auth') !== this.auth || url.pathname !== `${kind}${token}`) {
      request.resume();
      return reply(response, 403, { error: 'forbidden' });
    }
    const file = join(this.#options.directory, randomBytes(12).toString('hex'));
    const digest = await receiveFile(request, file);
    if (fault === 'hang') return;
    if (digest !== token) {
      await rm(file, { force: true });
      return reply(response, 400, { error: 'hash mismatch' });
    }
    const path = `/v/t62/${randomBytes(12).toString('hex')}.enc`;
    this.#files.set(path, file);
    this.#options.record.upload();
    reply(response, 200, { url: `https://${this.#options.host()}${path}`, direct_path: path });
  }
}

/** Streams a body to a file. Returns its SHA-256 in base64url; rejects when the client disconnects. */
async function receiveFile(request: IncomingMessage, file: string): Promise<string> {
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  try {
    await pipeline(request, hashing, createWriteStream(file));
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  }
  return hash.digest('base64url');
}

/** The response names the whole length and ends after half of it. */
async function cutInTheMiddle(file: string, response: ServerResponse): Promise<void> {
  const bytes = await readFile(file);
  response.writeHead(200, { 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

function reply(response: ServerResponse, status: number, body: Record<string, string>): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
