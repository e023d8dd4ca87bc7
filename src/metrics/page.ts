import { hash, timingSafeEqual } from 'node:crypto';
import type { Metrics } from './metrics.ts';

interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes what answers a request for metrics; `token` null: anybody may ask. */
export function createMetricsPage(
  metrics: Pick<Metrics, 'render'>,
  token: string | null,
): (authorization: string | undefined) => Promise<Page> {
  // Hashes are as long as each other, so that the comparison reveals nothing, not even a length.
  const expected = token === null ? null : hash('sha256', `Bearer ${token}`, 'buffer');
  return async (authorization = '') => {
    if (expected !== null && !timingSafeEqual(hash('sha256', authorization, 'buffer'), expected)) {
      return {
        status: 401,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'www-authenticate': 'Bearer' },
        body: 'A token is needed.\n',
      };
    }
    const { contentType, text } = await metrics.render();
    return { status: 200, headers: { 'content-type': contentType, 'cache-control': 'no-store' }, body: text };
  };
}
