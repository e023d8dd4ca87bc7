import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { Config } from '../config/index.ts';
import { OperatorError } from '../core/index.ts';

/** The gateway's server as this machine reaches it. */
export type OwnServer = ReturnType<typeof openOwnServer>;

interface AskOptions {
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answer {
  readonly status: number;
  /** Seconds of Retry-After; null without. */
  readonly retryAfter: number | null;
  /** The parsed JSON body; null when it is none. */
  readonly body: unknown;
}

/** Nothing listens at the address, or it cannot be reached. */
export class NobodyListens extends OperatorError {}

const connectMs = 3000;
const usual = { answerMs: 20_000, maxBodyBytes: 1024 * 1024 };

/** A client of the server that these settings describe. Throws OperatorError when they do not name its address. */
export function openOwnServer(config: Config, { answerMs, maxBodyBytes } = usual) {
  const address = serverAddress(config);
  // A connection for each request: one that was kept may have been closed by the time of the next. No TLS sessions: they are resumed unchecked.
  const agent = config.tls === null ? new HttpAgent() : new HttpsAgent({ ...trustOnly(config.tls.certFile), maxCachedSessions: 0 });
  const start = config.tls === null ? requestHttp : requestHttps;
  async function ask(path: string, { apiKey, headers, signal }: AskOptions, body?: unknown): Promise<Answer> {
    const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
    const request = start(`${address}${path}`, {
      agent,
      ...(body === undefined ? {} : { method: 'POST' }),
      headers: {
        ...(apiKey === undefined ? {} : { apikey: apiKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
    });
    let timer = setTimeout(() => reject(nobodyListens(address)), connectMs);
    request.once('socket', (socket) => {
      socket.once(config.tls === null ? 'connect' : 'secureConnect', () => {
        clearTimeout(timer);
        const late = () => reject(new OperatorError(`the server at ${address} did not answer within ${answerMs / 1000} seconds`));
        timer = setTimeout(late, answerMs);
      });
    });
    // Stays for good: an error that comes after the outcome must not be unheard.
    request.on('error', reject);
    // Some ends are not errors to Node, such as an answer that switches protocols.
    const onClose = () => reject(new Error('the connection closed without an answer'));
    request.once('close', onClose);
    request.once('response', (response) => {
      // A body that ends with its connection is reported after the close.
      request.off('close', onClose);
      readAnswer(response, maxBodyBytes).then(resolve, reject);
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
    try {
      return await answer;
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      throw error instanceof OperatorError ? error : failure(address, error);
    } finally {
      clearTimeout(timer);
      request.destroy();
    }
  }
  return {
    /** Such as http://127.0.0.1:3000. */
    address,
    /** One GET. Throws OperatorError when nobody answers in time; the caller's abort passes through. */
    get: (path: string, options: AskOptions = {}) => ask(path, options),
    /** One POST of this body as JSON. Throws like `get`. */
    post: (path: string, body: unknown, options: AskOptions = {}) => ask(path, options, body),
    close: async () => agent.destroy(),
  };
}

async function readAnswer(response: IncomingMessage, maxBodyBytes: number): Promise<Answer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Error(`its answer is longer than ${maxBodyBytes / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  const retryAfter = Number(response.headers['retry-after'] ?? Number.NaN);
  return {
    status: response.statusCode ?? 0,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
    body: parsed(Buffer.concat(chunks).toString()),
  };
}

/** Where this machine reaches the server of these settings. Throws OperatorError when they do not name its address. */
export function serverAddress(config: Config): string {
  if (config.port === 0) throw new OperatorError('PORT is 0, so it is not known where the server listens; set PORT to its port');
  return `${config.tls === null ? 'http' : 'https'}://${reachableHost(config.host)}:${config.port}`;
}

/** Listening on every address includes this machine's own. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** The certificate is issued for the public name, not for this address; so instead of the name, the certificate itself must be the configured one. */
function trustOnly(certFile: string) {
  let pem: string;
  let own: X509Certificate;
  try {
    pem = readFileSync(certFile, 'utf8');
    own = new X509Certificate(pem);
  } catch (error) {
    throw new OperatorError(`cannot use TLS_CERT_FILE: ${error instanceof Error ? error.message : error}`);
  }
  return {
    ca: pem,
    allowPartialTrustChain: true,
    checkServerIdentity: (_host: string, presented: { raw: Buffer }) =>
      presented.raw.equals(own.raw) ? undefined : new Error('its certificate is not the one in TLS_CERT_FILE'),
  };
}

function failure(address: string, error: unknown): OperatorError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EADDRNOTAVAIL', 'ETIMEDOUT'].includes(code))
    return nobodyListens(address);
  return new OperatorError(`the server at ${address} could not be asked: ${error instanceof Error ? error.message || code : error}`);
}

function nobodyListens(address: string): NobodyListens {
  return new NobodyListens(`no server answers at ${address}; start it with gateway serve (HOST and PORT must be the same for both)`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
