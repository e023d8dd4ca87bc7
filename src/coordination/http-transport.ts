import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkServerIdentity, getCACertificates } from 'node:tls';
import { buildConnector, type Dispatcher, Pool } from 'undici';
import type { PeerKeys } from './peer-keys.ts';
import { bodyHash, peerHeader, signPeerRequest } from './peer-signature.ts';
import { misdirected, type PeerAnswer, PeerError, type PeerRequest, type Transport } from './peers.ts';
import type { SharedTime } from './shared-time.ts';

/** A request that another server has taken for its own is answered with this header: what was noted of it. */
export const noteHeader = 'x-gateway-note';

/** HTTP/1.1 carries one request at a time on a connection; further ones wait for one. */
const connections = 512;
const connectMs = 2_000;
/** So that the second address of a name also gets its turn within that time. */
const attemptMs = 500;
const mostAnswerBytes = 4 * 1024 * 1024;

interface Options {
  readonly keys: Pick<PeerKeys, 'signing'>;
  /** The certificate that the servers of the installation show; null: they speak plain HTTP. */
  readonly certFile: string | null;
  readonly time: SharedTime;
}

/** The way to other servers: HTTP over kept connections, signed with the key of the installation. */
export function createHttpTransport({ keys, certFile, time }: Options): { readonly transport: Transport; close(): Promise<void> } {
  const pools = new Map<string, Pool>();

  function poolOf(address: string): Pool {
    const known = pools.get(address);
    if (known !== undefined) return known;
    const pool = new Pool(address, { connections, connect: connector(certFile), headersTimeout: 0, maxResponseSize: mostAnswerBytes });
    pools.set(address, pool);
    return pool;
  }

  /** The server there is another one, or may be about to stop: ended from here, no connection closes at the moment of a request. */
  function forget(address: string, pool: Pool): void {
    if (pools.get(address) !== pool) return;
    pools.delete(address);
    pool.close().catch(() => undefined);
  }

  function signatureOf(node: string, { method, path, body, requestId, https, deadlineMs }: PeerRequest): string {
    return signPeerRequest(keys.signing, { node, method, path, bodyHash: bodyHash(body ?? ''), requestId, https, deadlineMs }, time.now());
  }

  return {
    async transport({ id, address }, request, signal) {
      const pool = poolOf(address);
      const answer = await ask(pool, request, { signal, signature: signatureOf(id, request) });
      const isOurs = answer.headers[noteHeader] !== undefined;
      if (!isOurs || answer.status === misdirected) forget(address, pool);
      if (isOurs) return answer;
      if (answer.status !== 404) throw new Error(`something else answers at ${address}, with ${answer.status}`);
      // It is another server, or its time is another one.
      time.doubt();
      return null;
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

/** Sends a request. A stream of the answer and a signal given to the library would take as much time again. */
function ask(
  pool: Pool,
  { method, path, headers, body }: PeerRequest,
  { signal, signature }: { signal: AbortSignal; signature: string },
): Promise<PeerAnswer> {
  return new Promise((resolve, reject) => {
    let head: Pick<PeerAnswer, 'status' | 'headers'> = { status: 0, headers: {} };
    const chunks: Buffer[] = [];
    const sent = { ...headers, [peerHeader]: signature };
    pool.dispatch(
      { method: method as Dispatcher.HttpMethod, path, headers: sent, body },
      {
        onRequestStart(controller) {
          const end = () => controller.abort(new Error('nobody waits for the answer'));
          if (signal.aborted) end();
          else signal.addEventListener('abort', end);
        },
        onResponseStart(_controller, status, received) {
          head = { status, headers: received };
        },
        onResponseData(_controller, chunk) {
          chunks.push(chunk);
        },
        onResponseEnd: () => resolve({ ...head, body: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

/** Makes connections; one that could not be made is PeerError `unreachable`, so that it differs from one that broke. */
function connector(certFile: string | null): buildConnector.connector {
  return (options, callback) => {
    const failed = (error: unknown) => callback(new PeerError('unreachable', error), null);
    let trusted: Partial<ReturnType<typeof ownCertificate>> = {};
    try {
      // Read anew, because certificates are renewed.
      if (certFile !== null) trusted = ownCertificate(certFile);
    } catch (error) {
      return failed(error);
    }
    const connect = buildConnector({ timeout: connectMs, autoSelectFamilyAttemptTimeout: attemptMs, ...trusted });
    connect(options, (...[error, socket]) => {
      if (error === null) callback(null, socket);
      else failed(error);
    });
  };
}

/**
 * Trusts, besides what this machine trusts, the server that shows this very certificate, under any address, or a trusted one for the same
 * names: a renewed certificate reaches the servers one after the other, and one that cannot be used stays a file.
 */
function ownCertificate(certFile: string) {
  const pem = readFileSync(certFile, 'utf8');
  const own = new X509Certificate(pem);
  const names = own.subjectAltName;
  const isOurs = (raw: Buffer) => raw.equals(own.raw) || (names !== undefined && new X509Certificate(raw).subjectAltName === names);
  return {
    ca: [...getCACertificates(), pem],
    allowPartialTrustChain: true,
    checkServerIdentity: (...[host, peer]: Parameters<typeof checkServerIdentity>) =>
      isOurs(peer.raw) ? undefined : checkServerIdentity(host, peer),
  };
}
