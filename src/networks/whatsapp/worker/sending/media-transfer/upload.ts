import { randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { type Agent, request } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DEFAULT_ORIGIN, MEDIA_PATH_MAP, type MediaType } from 'baileys';
import type { MediaFile } from '../../../../index.ts';
import type { WhatsAppMedia } from '../../encoding/encoded-message.ts';
import type { SendingSocket } from '../socket.ts';
import { type Digest, digestOf, encryptedPieces } from './cipher.ts';

/** An upload is given up after this much silence from the media server. */
const idleMs = 20_000;
const answerBytes = 64 * 1024;

/** An uploaded file as a message refers to it. */
export type Uploaded = WhatsAppMedia['uploaded'];

export interface UploadConnection {
  readonly sock: Pick<SendingSocket, 'refreshMediaConn'>;
  /** The agent for connections to the media server; absent for Node's own. */
  readonly agent: Agent | undefined;
}

/**
 * Encrypts a file and uploads it piece by piece, without a temporary file. Rejects when no media server accepts it, when the signal is aborted, and
 * when the file's hash is wrong.
 */
export async function upload(
  { sock, agent }: UploadConnection,
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

/** The types of media that a message can carry. */
export type UploadType = Extract<MediaType, 'image' | 'video' | 'document' | 'audio' | 'sticker'>;

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

/** Tries every host that the network names, then once more with a new permission. */
async function toAnyHost({ sock, agent }: UploadConnection, source: Source, signal: AbortSignal): Promise<Place> {
  let failure: unknown = new Error('the network names no media server');
  for (const anew of [false, true]) {
    const { hosts, auth } = await sock.refreshMediaConn(anew);
    for (const { hostname } of hosts) {
      signal.throwIfAborted();
      try {
        return await toHost(addressOf(hostname, auth, source), source, agent, signal);
      } catch (error) {
        failure = error;
      }
    }
  }
  throw failure;
}

function addressOf(hostname: string, auth: string, { type, digest }: Source): URL {
  const token = encodeURIComponent(digest.fileEncSha256.toString('base64url'));
  return new URL(`https://${hostname}${MEDIA_PATH_MAP[type]}/${token}?auth=${encodeURIComponent(auth)}&token=${token}`);
}

async function toHost(url: URL, { file, mediaKey, type, digest }: Source, agent: Agent | undefined, signal: AbortSignal): Promise<Place> {
  const answered = Promise.withResolvers<Place>();
  // It is awaited only after the body has been sent, which may fail first.
  answered.promise.catch(() => undefined);
  const call = request(url, {
    method: 'POST',
    agent,
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
  if (typeof url !== 'string' || typeof directPath !== 'string') throw new Error('the media server did not say where the file is');
  return { url, directPath };
}
