import { readFile } from 'node:fs/promises';
import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { failureOf, inMediaWorld, type MediaWorld, until } from './media-world.ts';

const withHeaders =
  (headers: Record<string, string>): RequestListener =>
  (request, response) => {
    const unchanged = headers.etag !== undefined && request.headers['if-none-match'] === headers.etag;
    const unmodified = headers['last-modified'] !== undefined && request.headers['if-modified-since'] === headers['last-modified'];
    if (unchanged || unmodified) response.writeHead(304, headers).end();
    else response.writeHead(200, headers).end('content');
  };

const fetchAndRelease = async (world: MediaWorld, path?: string) => {
  const media = await world.fetch(world.url(path));
  expect(await readFile(media.path, 'utf8')).toBe('content');
  await media.release();
};

describe('a file that is fresh', () => {
  test('is not asked for again until its lifetime ends', async () => {
    await inMediaWorld(withHeaders({ 'cache-control': 'max-age=60' }), async (world) => {
      await fetchAndRelease(world);
      world.clock.advance(59_999);
      await fetchAndRelease(world);
      expect(world.requests).toHaveLength(1);
      world.clock.advance(1);
      await fetchAndRelease(world);
      expect(world.requests).toHaveLength(2);
      expect(await world.files()).toHaveLength(1);
    });
  });

  test('is fresh for that long whatever is done to the calendar meanwhile', async () => {
    await inMediaWorld(withHeaders({ 'cache-control': 'max-age=60' }), async (world) => {
      await fetchAndRelease(world);
      world.clock.setCalendar(3_600_000);
      await fetchAndRelease(world);
      expect(world.requests).toHaveLength(1);
      world.clock.setCalendar(-7_200_000);
      world.clock.advance(60_000);
      await fetchAndRelease(world);
      expect(world.requests).toHaveLength(2);
    });
  });

  test('is judged by the guard all the same', async () => {
    let addresses = ['127.0.0.1'];
    await inMediaWorld(
      withHeaders({ 'cache-control': 'max-age=60' }),
      async (world) => {
        await fetchAndRelease(world, '/file');
        addresses = ['10.0.0.1'];
        await expect(world.fetch('http://evil.example/')).rejects.toMatchObject({ code: 'invalid_media_url' });
      },
      { lookup: async () => addresses },
    );
  });

  test('has the media type that each request declares', async () => {
    await inMediaWorld(withHeaders({ 'cache-control': 'max-age=60', 'content-type': 'image/png' }), async (world) => {
      const types = [];
      for (const declaredMimeType of [undefined, 'image/webp', undefined])
        types.push((await world.fetch(world.url(), { declaredMimeType })).mimeType);
      expect(types).toEqual(['image/png', 'image/webp', 'image/png']);
      expect(world.requests).toHaveLength(1);
    });
  });

  test('behind a redirect is not asked for again, but the redirect is', async () => {
    const fresh = withHeaders({ 'cache-control': 'max-age=60' });
    const handler: RequestListener = (request, response) =>
      request.url === '/short' ? response.writeHead(302, { location: '/long' }).end() : fresh(request, response);
    await inMediaWorld(handler, async (world) => {
      await fetchAndRelease(world, '/short');
      await fetchAndRelease(world, '/short');
      await fetchAndRelease(world, '/long#fragment');
      expect(world.requests.map((request) => request.url)).toEqual(['/short', '/long', '/short']);
    });
  });
});

describe('a file with validators', () => {
  test.each([
    ['if-none-match', { etag: '"v1"' }, '"v1"'],
    ['if-none-match', { etag: 'W/"v1"', 'cache-control': 'no-cache' }, 'W/"v1"'],
    ['if-modified-since', { 'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 'Thu, 01 Jan 2026 00:00:00 GMT'],
  ])('is revalidated with %s and not downloaded again [media.fetched-once]', async (name, headers, value) => {
    await inMediaWorld(withHeaders({ ...headers }), async (world) => {
      const first = await world.fetch(world.url());
      const second = await world.fetch(world.url());
      expect(second.path).toBe(first.path);
      expect(world.requests.map((request) => request.headers[name])).toEqual([undefined, value]);
    });
  });

  test('that are malformed is downloaded again, without them', async () => {
    await inMediaWorld(withHeaders({ etag: 'v\u00e91', 'last-modified': 'yesterday' }), async (world) => {
      await fetchAndRelease(world);
      await fetchAndRelease(world);
      expect(world.requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, undefined]);
      expect(await world.files()).toEqual([]);
    });
  });

  test('is fresh for as long as the 304 says', async () => {
    let etag = '"v1"';
    const handler: RequestListener = (request, response) => {
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { 'cache-control': 'max-age=10' }).end();
      else response.writeHead(200, { etag }).end('content');
    };
    await inMediaWorld(handler, async (world) => {
      await fetchAndRelease(world);
      await fetchAndRelease(world);
      world.clock.advance(9_999);
      await fetchAndRelease(world);
      expect(world.requests).toHaveLength(2);
      world.clock.advance(1);
      await fetchAndRelease(world);
      expect(world.requests[2]?.headers['if-none-match']).toBe('"v1"');
      etag = '"v2"';
      world.clock.advance(10_000);
      await fetchAndRelease(world);
      expect(world.requests).toHaveLength(4);
      expect(await world.files()).toHaveLength(1);
    });
  });

  test('that has changed replaces the old one, which stays for those who still use it', async () => {
    let version = 0;
    await inMediaWorld(
      (_request, response) => response.setHeader('etag', `"${++version}"`).end(`version ${version}`),
      async (world) => {
        const first = await world.fetch(world.url());
        const second = await world.fetch(world.url());
        expect(await readFile(first.path, 'utf8')).toBe('version 1');
        expect(await readFile(second.path, 'utf8')).toBe('version 2');
        await first.release();
        expect(await world.files()).toHaveLength(1);
        expect(await readFile(second.path, 'utf8')).toBe('version 2');
        await second.release();
      },
    );
  });

  test('that has gone is a failure, not the old file', async () => {
    let gone = false;
    await inMediaWorld(
      (_request, response) => (gone ? response.writeHead(404).end() : response.setHeader('etag', '"1"').end('content')),
      async (world) => {
        await fetchAndRelease(world);
        gone = true;
        expect((await failureOf(world.fetch(world.url()))).code).toBe('media_fetch_failed');
      },
    );
  });
});

test.each([
  { 'cache-control': 'no-store', etag: '"v1"' },
  { 'cache-control': 'max-age=60, no-store' },
  { 'cache-control': 'private, max-age=60' },
  { 'cache-control': 'max-age=60', vary: '*' },
  { 'cache-control': 'max-age=0' },
  { 'cache-control': 'no-cache' },
  {},
])('a file with %j is not kept', async (headers) => {
  await inMediaWorld(withHeaders({ ...headers } as Record<string, string>), async (world) => {
    await fetchAndRelease(world);
    expect(await world.files()).toEqual([]);
    await fetchAndRelease(world);
    expect(world.requests.map((request) => request.headers['if-none-match'])).toEqual([undefined, undefined]);
  });
});

describe('the cache is bounded', () => {
  const fresh = withHeaders({ 'cache-control': 'max-age=60' });

  test('in entries: the least recently used one leaves', async () => {
    await inMediaWorld(
      fresh,
      async (world) => {
        for (const path of ['/a', '/b', '/a', '/c', '/a', '/b']) await fetchAndRelease(world, path);
        expect(world.requests.map((request) => request.url)).toEqual(['/a', '/b', '/c', '/b']);
        expect(await world.files()).toHaveLength(2);
      },
      { cache: { maxEntries: 2, maxBytes: 1000 } },
    );
  });

  test('in bytes, and a file in use stays until it is released', async () => {
    await inMediaWorld(
      fresh,
      async (world) => {
        const media = await world.fetch(world.url('/a'));
        await fetchAndRelease(world, '/b');
        expect(await world.files()).toHaveLength(2);
        expect(await readFile(media.path, 'utf8')).toBe('content');
        await media.release();
        expect(await world.files()).toHaveLength(1);
      },
      { cache: { maxEntries: 64, maxBytes: 10 } },
    );
  });

  test('and keeps no file larger than itself', async () => {
    await inMediaWorld(
      fresh,
      async (world) => {
        await fetchAndRelease(world);
        expect(await world.files()).toEqual([]);
      },
      { cache: { maxEntries: 64, maxBytes: 3 } },
    );
  });

  test('and emptied by close', async () => {
    await inMediaWorld(fresh, async (world) => {
      const media = await world.fetch(world.url());
      await fetchAndRelease(world, '/other');
      await world.fetcher.close();
      expect(await readFile(media.path, 'utf8')).toBe('content');
      await media.release();
      expect(await world.files()).toEqual([]);
    });
  });
});

describe('several fetches of one link at a time', () => {
  test('are one download of one file, removed after the last release', async () => {
    const responses: ServerResponse[] = [];
    await inMediaWorld(
      (_request, response) => void responses.push(response),
      async (world) => {
        const fetching = Array.from({ length: 20 }, () => world.fetch(world.url()));
        await until(() => responses.length > 0);
        responses[0]?.end('content');
        const all = await Promise.all(fetching);
        expect(new Set(all.map((media) => media.path)).size).toBe(1);
        expect(responses).toHaveLength(1);
        for (const media of all) {
          expect(await readFile(media.path, 'utf8')).toBe('content');
          await media.release();
        }
        expect(await world.files()).toEqual([]);
      },
    );
  });

  test('fail together, and the next one tries again', async () => {
    const responses: ServerResponse[] = [];
    await inMediaWorld(
      (_request, response) => void responses.push(response),
      async (world) => {
        const failing = [1, 2, 3].map(() => failureOf(world.fetch(world.url())));
        await until(() => responses.length === 1);
        responses[0]?.writeHead(500).end();
        for (const error of await Promise.all(failing)) expect(error.code).toBe('media_fetch_failed');
        const again = world.fetch(world.url());
        await until(() => responses.length === 2);
        responses[1]?.end('content');
        await (await again).release();
        expect(await world.files()).toEqual([]);
      },
    );
  });
});
