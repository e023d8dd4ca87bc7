import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';

/** The header that marks a request of another server. */
export const peerHeader = 'x-gateway-peer';

/** How old a signature may be; also how far ahead, as servers do not read the time of the store at the same moment. */
const lastsMs = 15 * 60_000;

/** What a server signs of a request to another one. The headers are not signed: who asks is judged by them again where the request arrives. */
export interface Signed {
  /** The id of the server that is to answer. */
  readonly node: string;
  readonly method: string;
  readonly path: string;
  readonly bodyHash: string;
  readonly requestId: string;
  readonly https: boolean;
  readonly deadlineMs: number;
}

export function bodyHash(body: string | Uint8Array): string {
  return hash('sha256', body, 'base64url');
}

/** The value of the header for this request. */
export function signPeerRequest(key: KeyObject, signed: Signed, now: number): string {
  const { node, bodyHash: body, requestId, https, deadlineMs } = signed;
  const values = [node, requestId, https ? 'https' : 'http', String(deadlineMs), String(now), body];
  return [...values, signatureOf(key, signed, values)].join(' ');
}

/** What was signed for this request; null for a signature that is wrong, or too old. */
export function readPeerHeader(
  key: KeyObject,
  value: string,
  { method, path, now }: { readonly method: string; readonly path: string; readonly now: number },
): Signed | null {
  const values = value.split(' ');
  const signature = values.pop() ?? '';
  const [node = '', requestId = '', scheme, deadline, time, body = ''] = values;
  const signed = { node, method, path, bodyHash: body, requestId, https: scheme === 'https', deadlineMs: Number(deadline) };
  const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, signed, values))];
  if (given.length !== right.length || !timingSafeEqual(given, right)) return null;
  return Math.abs(now - Number(time)) <= lastsMs ? signed : null;
}

function signatureOf(key: KeyObject, { method, path }: Pick<Signed, 'method' | 'path'>, values: readonly string[]): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([method, path, ...values]))
    .digest('base64url');
}
