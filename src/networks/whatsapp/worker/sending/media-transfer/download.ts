import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { type Agent, request } from 'node:https';
import { getMediaKeys, type MediaType } from 'baileys';
import type { MediaConnection } from './upload.ts';

/** A download is given up after this much silence from the media server, in milliseconds. */
const idleMs = 20_000;
const macBytes = 10;

/** A file on the network's media servers. */
interface Blob {
  readonly mediaKey: Uint8Array;
  readonly directPath: string;
}

/**
 * Downloads and decrypts a file piece by piece. Rejects when no media server has it, when the signal is aborted, and at the end when the file is not
 * authentic.
 */
export async function* download(
  { sock, agent }: MediaConnection,
  { mediaKey, directPath }: Blob,
  type: MediaType,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const { hosts } = await sock.refreshMediaConn(false);
  const [host] = hosts;
  if (host === undefined) throw new Error('the network names no media server');
  if (!directPath.startsWith('/')) throw new Error('a file on the media server has no path');
  yield* decrypted(await bytesAt(new URL(`https://${host.hostname}${directPath}`), agent, signal), mediaKey, type);
}

/** Decrypts a stream. Rejects at the end when it was not made with this key. */
export async function* decrypted(source: AsyncIterable<Uint8Array>, mediaKey: Uint8Array, type: MediaType): AsyncGenerator<Buffer> {
  const { cipherKey, iv, macKey } = await getMediaKeys(mediaKey, type);
  const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv);
  const mac = createHmac('sha256', macKey ?? '').update(iv);
  // The last bytes are the MAC and not encrypted data. Which bytes are the last is only known at the end.
  let held = Buffer.alloc(0);
  for await (const piece of source) {
    held = Buffer.concat([held, piece]);
    const ready = held.subarray(0, Math.max(0, held.length - macBytes));
    held = held.subarray(ready.length);
    mac.update(ready);
    yield decipher.update(ready);
  }
  if (held.length !== macBytes || !timingSafeEqual(mac.digest().subarray(0, macBytes), held))
    throw new Error('a download is not authentic');
  yield decipher.final();
}

function bytesAt(url: URL, agent: Agent | null, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent: agent ?? undefined, signal, timeout: idleMs, headers: { origin: 'https://web.whatsapp.com' } });
    call.on('timeout', () => call.destroy(new Error('the media server was silent for too long')));
    call.on('error', reject);
    call.on('response', (response) => {
      if (response.statusCode === 200) return resolve(response);
      response.destroy();
      reject(new Error(`the media server answered ${response.statusCode}`));
    });
    call.end();
  });
}
