import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { getCACertificates } from 'node:tls';
import { type Clock, OperatorError, withTimeout } from '../../../core/index.ts';
import { revisionIn } from './choose-version.ts';

/** How long the whole request may take, in milliseconds. */
const pageMs = 10_000;
const mostBytes = 8 * 1024 * 1024;
/** Clients that do not look like a browser get another page. */
const headers = {
  accept: '*/*',
  'sec-fetch-site': 'none',
  'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36',
};

interface PageOptions {
  readonly url: string;
  /** PEM of certificate authorities to trust in addition to Node's own; null for none. */
  readonly ca: string | null;
  readonly clock: Clock;
}

/** The revision that the version page names right now. Throws OperatorError with the reason when it names none within ten seconds. */
export async function fetchRevision({ url, ca, clock }: PageOptions): Promise<number> {
  const target = new URL(url);
  const stop = new AbortController();
  const options = { headers, agent: false, signal: stop.signal } as const;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request =
    target.protocol === 'http:'
      ? requestHttp(target, options)
      : requestHttps(target, { ...options, ...(ca === null ? {} : { ca: [...getCACertificates(), ca] }) });
  // Never removed, because an error after the result would otherwise be unhandled.
  request.on('error', reject);
  request.once('response', resolve);
  request.end();
  try {
    const late = () => {
      throw new OperatorError(`it did not answer within ${pageMs / 1000} seconds`);
    };
    const revision = revisionIn(await withTimeout(clock, pageMs, promise.then(textOf), late));
    if (revision === null) throw new OperatorError('it names no version');
    return revision;
  } catch (error) {
    const reason = error instanceof Error ? error.message || ('code' in error ? String(error.code) : error.name) : 'failed';
    throw new OperatorError(`the version page ${url} cannot be read: ${reason}`);
  } finally {
    stop.abort();
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  if (response.statusCode !== 200) throw new OperatorError(`it answers with status ${response.statusCode}`);
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostBytes) throw new OperatorError(`it is larger than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
