import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Agent, request } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DEFAULT_ORIGIN, MEDIA_PATH_MAP, type MediaType, type WASocket } from 'baileys';
import type { MediaFile } from '../../../../index.ts';
import type { WhatsAppMedia } from '../../encoding/encoded-message.ts';
import { createCache } from '../../library/bounded-cache.ts';
import { type Digest, digestOf, encryptedPieces } from './cipher.ts';

/** An upload is given up after this much silence from the media server. */
const idleMs = 20_000;
const answerBytes = 64 * 1024;
/** How long an upload is reused, in milliseconds. The network keeps uploaded files for much longer. */
const reuseMs = 60 * 60 * 1000;
/** An upload that takes longer than this is given up, in milliseconds. */
const longestMs = 5 * 60 * 1000;

/** An uploaded file as a message refers to it. */
type Uploaded = WhatsAppMedia['uploaded'];

export interface MediaConnection {
  readonly sock: Pick<WASocket, 'refreshMediaConn'>;
  /** The agent for connections to the media servers; null for Node's own. */
  readonly agent: Agent | null;
}

/** The types of media that a message can carry. */
export type UploadType = Extract<MediaType, 'image' | 'video' | 'document' | 'audio' | 'sticker'>;

interface Entry {
  readonly place: Promise<Uploaded>;
  /** The connection that it was begun on and the way to end it; null once it is done. */
  underWay: { readonly sock: MediaConnection['sock']; readonly abort: AbortController } | null;
}

/** The uploads of one link. A file is uploaded once for all its recipients, including those who request it while the upload is in progress. */
export class Uploads {
  readonly #entries = createCache<Entry>({ limit: 500, lifetimeMs: reuseMs });
  readonly #ended = new AbortController();

  /** Where the file lies on the media server. Rejects when it could not be uploaded; the next call tries again. */
  get(connection: MediaConnection, file: MediaFile, type: UploadType): Promise<Uploaded> {
    const key = `${type} ${file.sha256}`;
    const known = this.#entries.get(key);
    if (known !== undefined && (known.underWay === null || known.underWay.sock === connection.sock)) return known.place;
    // The upload has most likely failed with its connection, and nobody waits for it any more.
    known?.underWay?.abort.abort(new Error('the connection was lost'));
    const entry = this.#begin(connection, file, type);
    this.#entries.set(key, entry);
    entry.place.then(
      () => {
        entry.underWay = null;
      },
      // Those who wait get the failure from the promise itself.
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.place;
  }

  close(): void {
    this.#ended.abort(new Error('the link was closed'));
  }

  #begin(connection: MediaConnection, file: MediaFile, type: UploadType): Entry {
    const abort = new AbortController();
    const signal = AbortSignal.any([this.#ended.signal, abort.signal, AbortSignal.timeout(longestMs)]);
    return { place: upload(connection, file, type, signal), underWay: { sock: connection.sock, abort } };
  }
}

/**
 * Encrypts a file and uploads it piece by piece, without a temporary file. Rejects when no media server accepts it, when the signal is aborted, and
 * when the file's hash is wrong.
 */
async function upload(
  { sock, agent }: MediaConnection,
  { path, sha256 }: MediaFile,
  type: UploadType,
  signal: AbortSignal,
): Promise<Uploaded> {
  const mediaKey = randomBytes(32);
  // The file may be removed once its send was answered, while other sends still wait for this upload. An open file stays readable.
  const file = await open(path);
  try {
    const digest = await digestOf(file, mediaKey, type);
    if (digest.fileSha256.toString('hex') !== sha256) throw new Error('the file changed before its upload');
    const place = await toAnyHost({ sock, agent }, { file, mediaKey, type, digest }, signal);
    const { fileSha256, fileEncSha256, fileLength } = digest;
    return { ...place, mediaKey, mediaKeyTimestamp: Math.floor(Date.now() / 1000), fileSha256, fileEncSha256, fileLength };
  } finally {
    await file.close();
  }
}

interface Source {
  readonly file: FileHandle;
  readonly mediaKey: Uint8Array;
  readonly type: UploadType;
  readonly digest: Digest;
}

interface Place {
  readonly url: string;
  readonly directPath: string;
}

/** Tries every host that the network names, then once more with a new permission; also when the network did not name any. */
async function toAnyHost({ sock, agent }: MediaConnection, source: Source, signal: AbortSignal): Promise<Place> {
  let failure: unknown = new Error('the network names no media server');
  for (const anew of [false, true]) {
    signal.throwIfAborted();
    try {
      const { hosts, auth } = await sock.refreshMediaConn(anew);
      for (const { hostname } of hosts) {
        signal.throwIfAborted();
        try {
          return await toHost(addressOf(hostname, auth, source), source, agent, signal);
        } catch (error) {
          failure = error;
        }
      }
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

function addressOf(hostname: string, auth: string, { type, digest }: Source): URL {
  const token = encodeURIComponent(digest.fileEncSha256.toString('base64url'));
  return new URL(`https://${hostname}${MEDIA_PATH_MAP[type]}/${token}?auth=${encodeURIComponent(auth)}&token=${token}`);
}

async function toHost(url: URL, { file, mediaKey, type, digest }: Source, agent: Agent | null, signal: AbortSignal): Promise<Place> {
  const answered = Promise.withResolvers<Place>();
  // It is awaited only after the body has been sent, which may fail first.
  answered.promise.catch(() => undefined);
  const call = request(url, {
    method: 'POST',
    agent: agent ?? undefined,
    signal,
    timeout: idleMs,
    headers: { 'content-type': 'application/octet-stream', 'content-length': digest.encryptedLength, origin: DEFAULT_ORIGIN },
  });
  call.on('timeout', () => call.destroy(new Error('the media server was silent for too long')));
  call.on('error', answered.reject);
  call.on('close', () => answered.reject(new Error('the media server closed the connection')));
  call.on('response', async (response) => {
    try {
      const chunks: Buffer[] = [];
      let length = 0;
      for await (const chunk of response) {
        length += chunk.length;
        if (length > answerBytes) throw new Error('the media server answered too much');
        chunks.push(chunk);
      }
      answered.resolve(placeOf(response.statusCode ?? 0, Buffer.concat(chunks).toString('utf8')));
    } catch (error) {
      answered.reject(error);
    } finally {
      response.destroy();
    }
  });
  // A server that refuses may stop reading the body, so its answer counts more than the broken pipe.
  const body = pipeline(Readable.from(encryptedPieces(file, mediaKey, type)), call).catch(answered.reject);
  try {
    return await answered.promise;
  } finally {
    call.destroy();
    await body;
  }
}

function placeOf(status: number, body: string): Place {
  if (status < 200 || status > 299) throw new Error(`the media server answered ${status}`);
  const answer: unknown = JSON.parse(body);
  if (typeof answer !== 'object' || answer === null) throw new Error('the media server answered no object');
  const { url, direct_path: directPath } = answer as Record<string, unknown>;
  if (typeof url !== 'string' || typeof directPath !== 'string') throw new Error('the media server did not name the place of the file');
  return { url, directPath };
}
