/** REDIS_URL, read. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly db: number;
  /** For messages: without the password. */
  readonly shown: string;
}

/** What REDIS_URL must be. */
export const redisUrlRule =
  'must be a redis:// or rediss:// address such as redis://user:password@host:6379/0, with % escapes for special characters';

/** Reads redis:// and rediss:// addresses; null for anything else. */
export function readRedisUrl(text: string): RedisAddress | null {
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '') return null;
  // Options after a question mark would suggest something that this program does not do.
  if (url.search !== '' || url.hash !== '' || !/^\/?[0-9]{0,9}$/.test(url.pathname)) return null;
  const port = url.port === '' ? 6379 : Number(url.port);
  // An IPv6 address is in brackets only in a URL.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  try {
    return {
      host,
      port,
      tls: url.protocol === 'rediss:',
      username: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
      db: Number(url.pathname.slice(1)),
      shown: `${url.hostname}:${port}`,
    };
  } catch {
    // A % that escapes nothing.
    return null;
  }
}
