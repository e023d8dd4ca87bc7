import { describe, expect, test } from 'vitest';
import { reusePolicy } from '../../src/media/freshness.ts';

const now = Date.UTC(2026, 0, 1);
const httpDate = (offsetSeconds: number) => new Date(now + offsetSeconds * 1000).toUTCString();

/** For how many seconds an answer with these headers is fresh; null when it is not kept. */
function freshSeconds(headers: Record<string, string>, stored?: Record<string, string>): number | null {
  const policy = reusePolicy((name) => headers[name] ?? null, now, stored);
  return policy === null ? null : policy.freshForMs / 1000;
}

describe('freshness lifetime (RFC 9111 §4.2)', () => {
  test.each<[Record<string, string>, number | null]>([
    [{ 'cache-control': 'max-age=60' }, 60],
    [{ 'cache-control': 'public, Max-Age=60, immutable' }, 60],
    [{ 'cache-control': 'max-age="60"' }, 60],
    [{ 'cache-control': 'max-age=60, s-maxage=30' }, 30],
    [{ 'cache-control': 's-maxage=0, max-age=60' }, null],
    [{ 'cache-control': 'max-age=60', age: '50' }, 10],
    [{ 'cache-control': 'max-age=60', age: '60' }, null],
    [{ 'cache-control': 'max-age=60', expires: httpDate(10), date: httpDate(0) }, 60],
    [{ expires: httpDate(10), date: httpDate(0) }, 10],
    [{ expires: httpDate(110), date: httpDate(100) }, 10],
    [{ expires: httpDate(10) }, 10],
    [{ expires: httpDate(-10) }, null],
    [{ expires: '0' }, null],
    [{ expires: 'never' }, null],
    [{ 'cache-control': 'max-age=99999999999999999999' }, 2 ** 31],
    [{ 'cache-control': 'max-age=-1' }, null],
    [{ 'cache-control': 'max-age=soon' }, null],
    [{ 'cache-control': 'max-age' }, null],
    [{ 'cache-control': 'max-age=60, no-cache' }, null],
    [{ 'cache-control': 'max-age=60, no-cache="set-cookie"' }, null],
    [{ 'cache-control': 'max-age=60, NO-STORE' }, null],
    [{ 'cache-control': 'max-age=60, private="x"' }, null],
    [{ 'cache-control': 'max-age=60', pragma: 'no-cache' }, 60],
    [{ pragma: 'no-cache', expires: httpDate(10) }, null],
    [{ 'cache-control': 'extension="no-store, private", max-age=60' }, 60],
    [{ 'cache-control': 'max-age=60', vary: 'accept-encoding' }, 60],
    [{ 'cache-control': 'max-age=60', vary: '*' }, null],
    [{}, null],
  ])('%j: %s s [media.fetched-once]', (headers, seconds) => {
    expect(freshSeconds(headers)).toBe(seconds);
  });

  test('without lifetime a validator keeps the file, stale', () => {
    expect(freshSeconds({ etag: '"a"' })).toBe(0);
    expect(freshSeconds({ etag: '"a"', 'cache-control': 'no-cache' })).toBe(0);
    expect(freshSeconds({ etag: '"a"', 'cache-control': 'no-store' })).toBeNull();
  });

  test('a 304 updates what was stored, and what it leaves out stays', () => {
    const stored = { 'cache-control': 'max-age=60', etag: '"a"' };
    expect(freshSeconds({}, stored)).toBe(60);
    expect(freshSeconds({ 'cache-control': 'max-age=5' }, stored)).toBe(5);
    expect(freshSeconds({ 'cache-control': 'no-store' }, stored)).toBeNull();
    expect(reusePolicy((name) => (name === 'etag' ? '"b"' : null), now, stored)?.conditional).toEqual({ 'if-none-match': '"b"' });
  });
});
