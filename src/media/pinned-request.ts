import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { type ApprovedUrl, hostOf, portOf } from './address-guard.ts';
import type { Deadline } from './deadline.ts';
import { fetchFailure, notHttp } from './fetch-failure.ts';

/** The head of an answer and its body, still to be read. */
export interface Answer {
  readonly status: number;
  /** The value of a header (repeated ones joined by commas, RFC 9110 §5.3), or null. */
  header(name: string): string | null;
  /** As it comes off the wire, transfer coding removed, content coding not. */
  readonly body: Readable;
  /** Closes the connection, whatever of the body is unread. */
  destroy(): void;
}

export interface PinnedRequest {
  readonly approved: ApprovedUrl;
  /** The body of a POST; absent: it is a GET. */
  readonly post?: string;
  /** Further headers, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly deadline: Deadline;
  /** PEM certificates trusted for https instead of Node's own. */
  readonly certificateAuthorities?: string | undefined;
  /** Makes the error of a request without an answer, from its reason; absent: `media_fetch_failed`. */
  readonly failure?: typeof fetchFailure;
}

const connectMs = 10_000;
const headersMs = 30_000;
const maxHeaderBytes = 16 * 1024;

/**
 * One GET or POST over a connection of its own to one of the approved addresses; nothing is looked up. TLS and the Host header still speak of the name.
 * Throws GatewayError `media_fetch_failed` when there is no answer in time.
 * On node:http, because undici 7 ends the process when a server closes while the reader is slow (nodejs/undici#5360).
 */
export async function pinnedRequest(options: PinnedRequest): Promise<Answer> {
  const { approved, post, headers, deadline, certificateAuthorities, failure = fetchFailure } = options;
  if (approved.addresses.length === 0) throw failure('the name of its server does not resolve');
  const url = new URL(approved.url);
  const host = hostOf(url).replace(/^\[(.*)\]$/, '$1');
  const requestOptions: RequestOptions = {
    method: post === undefined ? 'GET' : 'POST',
    host,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, 'user-agent': 'messaging-gateway', accept: '*/*', 'accept-encoding': 'identity', ...headers },
    // An agent would keep the connection for requests that were approved with other addresses.
    agent: false,
    lookup: pinnedLookup(approved.addresses),
    maxHeaderSize: maxHeaderBytes,
    signal: deadline.signal,
  };

  deadline.phase(connectMs, () => failure('its server could not be reached in time'));
  const secure = url.protocol === 'https:';
  // A server name may only be a name (RFC 6066 §3).
  const servername = isIP(host) === 0 ? host : '';
  const ca = certificateAuthorities === undefined ? {} : { ca: certificateAuthorities };
  const request = secure ? requestHttps({ ...requestOptions, ...ca, servername }) : requestHttp(requestOptions);
  request.once('socket', (socket) => {
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      deadline.phase(headersMs, () => failure('its server did not answer in time'));
    });
  });
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', (message) => {
        // A body that nobody reads still fails when its connection is closed.
        message.on('error', () => {});
        // Otherwise the body would fail with nothing but a closed connection.
        request.on('error', (error) => {
          if (!message.complete && notHttp(error) !== null) message.destroy(error);
        });
        resolve(message);
      });
      // Stays for good: an error that comes later is the body's to report, and without a listener it would end the process.
      request.on('error', reject);
      // Some ends are not errors to Node, such as an answer that switches protocols.
      request.once('close', () => reject(new Error('the connection closed without an answer')));
      request.end(post);
    });
    return {
      status: answer.statusCode ?? 0,
      header(name) {
        const value = answer.headers[name];
        return value === undefined ? null : [value].flat().join(', ');
      },
      body: answer,
      destroy: () => void request.destroy(),
    };
  } catch (error) {
    request.destroy();
    deadline.signal.throwIfAborted();
    throw failure(notHttp(error) ?? 'its server could not be reached or did not answer properly', error);
  }
}

/** Answers every lookup of a socket with the approved addresses; it tries them in turn (RFC 8305). */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_hostname, options, callback) => {
    if (options.all === true) return callback(null, answers);
    const [first] = answers;
    return callback(null, first?.address ?? '', first?.family);
  };
}
