/**
 * What an answer says about reusing its file (RFC 9111), of a cache that several accounts share. Not left to http-cache-semantics (4.3.0):
 * it knows directives in lower case only, so that it would keep what is marked `NO-STORE`, and of a repeated one it takes the last.
 */
export interface ReusePolicy {
  /** For how many milliseconds the file may be reused without asking. */
  readonly freshForMs: number;
  /** The headers of a conditional request that asks whether the file is unchanged; empty when the server gave no validators. */
  readonly conditional: Readonly<Record<string, string>>;
  /** The headers this was read from; an answer 304 updates them (RFC 9111 §4.3.4). */
  readonly headers: Readonly<Record<string, string>>;
}

type ReadHeader = (name: string) => string | null;

const relevant = ['cache-control', 'pragma', 'expires', 'etag', 'last-modified', 'vary'];
// RFC 9111 §1.2.2: a number too large counts as this one.
const maxDeltaSeconds = 2 ** 31;
// RFC 9110 §8.8.3, in ASCII.
const entityTag = /^(W\/)?"[\x21\x23-\x7e]*"$/;
// RFC 9110 §5.6.7, the form that servers send today.
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The policy of an answer that arrived at `now` (epoch milliseconds); null when its file must not be reused or there would be no way to. `stored` are the headers a 304 updates. */
export function reusePolicy(header: ReadHeader, now: number, stored: Readonly<Record<string, string>> = {}): ReusePolicy | null {
  const headers: Record<string, string> = { ...stored };
  for (const name of relevant) {
    const value = header(name);
    if (value !== null) headers[name] = value;
  }
  const directives = parseCacheControl(headers['cache-control'] ?? headers.pragma ?? '');
  if (directives.has('no-store') || directives.has('private') || headers.vary?.includes('*')) return null;

  const conditional: Record<string, string> = {};
  // Only what is well-formed is sent back: anything else would break every later request for the file.
  if (entityTag.test(headers.etag ?? '')) conditional['if-none-match'] = headers.etag ?? '';
  if (httpDate.test(headers['last-modified'] ?? '')) conditional['if-modified-since'] = headers['last-modified'] ?? '';

  // Age and Date describe this answer alone, so they are never taken from a stored one.
  const ageSeconds = deltaSeconds(header('age') ?? '0');
  const lifetime = directives.has('no-cache') ? 0 : lifetimeSeconds(directives, headers.expires, header('date'), now);
  const freshForMs = (lifetime - ageSeconds) * 1000;
  if (freshForMs <= 0 && Object.keys(conditional).length === 0) return null;
  return { freshForMs, conditional, headers };
}

/** How long an answer is fresh (RFC 9111 §4.2.1). Without a word from the server: not at all, we do not guess. */
function lifetimeSeconds(directives: ReadonlyMap<string, string>, expires: string | undefined, date: string | null, now: number): number {
  const explicit = directives.get('s-maxage') ?? directives.get('max-age');
  if (explicit !== undefined) return deltaSeconds(explicit);
  const expiresAt = Date.parse(expires ?? '');
  if (Number.isNaN(expiresAt)) return 0;
  const sentAt = Date.parse(date ?? '');
  return Math.min((expiresAt - (Number.isNaN(sentAt) ? now : sentAt)) / 1000, maxDeltaSeconds);
}

/** Whole seconds; anything else counts as 0, which makes the file stale (RFC 9111 §4.2.1). */
function deltaSeconds(text: string): number {
  return /^[0-9]+$/.test(text) ? Math.min(Number(text), maxDeltaSeconds) : 0;
}

/** The directives of a Cache-Control value in lower case, with their arguments unquoted; of a repeated one the first counts. */
function parseCacheControl(value: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const [, name, quoted, token] of value.toLowerCase().matchAll(/([a-z0-9-]+)(?:=(?:"([^"]*)"|([^\s,"]+)))?/g)) {
    if (name !== undefined && !directives.has(name)) directives.set(name, quoted ?? token ?? '');
  }
  return directives;
}
