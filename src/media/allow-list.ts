import { OperatorError } from '../core/index.ts';

/** True when the operator exempted this host from the address rules (`MEDIA_ALLOW_HOSTS`). */
export type AllowList = (url: URL) => boolean;

/**
 * An allow-list from entries `host` (any port) or `host:port`. Hosts are names, IPv4 addresses or bracketed IPv6 addresses, in any spelling the URL parser knows.
 * Throws OperatorError for an entry that is neither.
 */
export function createAllowList(entries: readonly string[]): AllowList {
  const allowed = new Set(entries.map(canonicalEntry));
  return (url) => {
    const host = hostOf(url);
    return allowed.has(host) || allowed.has(`${host}:${portOf(url)}`);
  };
}

/** The host of a URL without the trailing dot of a fully qualified name; IPv6 in brackets. */
export function hostOf(url: URL): string {
  return url.hostname.endsWith('.') ? url.hostname.slice(0, -1) : url.hostname;
}

/** The port of an http(s) URL, the scheme's own when it names none. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function canonicalEntry(entry: string): string {
  const port = /:([0-9]{1,5})$/.exec(entry)?.[1];
  const host = port === undefined ? entry : entry.slice(0, -port.length - 1);
  const url = /[/?#@\\\s]/.test(host) ? null : URL.parse(`http://${host}`);
  if (url === null || url.port !== '' || hostOf(url) === '' || Number(port ?? 0) > 65_535) {
    throw new OperatorError(`MEDIA_ALLOW_HOSTS: ${JSON.stringify(entry)} is not host or host:port`);
  }
  return port === undefined ? hostOf(url) : `${hostOf(url)}:${Number(port)}`;
}
