import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { failureOf, hostName, inMediaWorld } from './media-world.ts';

/** Redirects `/N` to `/N-1`, and answers `/0` with a file. */
const countdown: RequestListener = (request, response) => {
  const left = Number(request.url?.slice(1));
  if (left === 0) response.end('content');
  else response.writeHead(302, { location: `/${left - 1}` }).end('a page');
};

const redirectTo =
  (location: string, status = 302): RequestListener =>
  (request, response) => {
    if (request.url === '/file') response.writeHead(status, { location }).end();
    else response.end('content');
  };

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('status %i is followed', async (status) => {
    await inMediaWorld(redirectTo('/other', status), async (world) => {
      await (await world.fetch(world.url())).release();
      expect(world.requests.map((request) => request.url)).toEqual(['/file', '/other']);
      expect(await world.files()).toEqual([]);
    });
  });

  test('three are followed, a fourth is not [media.hops]', async () => {
    await inMediaWorld(countdown, async (world) => {
      expect((await world.fetch(world.url('/3'))).size).toBe('content'.length);
      expect(await failureOf(world.fetch(world.url('/4')))).toMatchObject({ code: 'media_fetch_failed', status: 422 });
      expect(world.requests).toHaveLength(8);
    });
  });

  test('a loop ends', async () => {
    await inMediaWorld(redirectTo('/file'), async (world) => {
      expect(await failureOf(world.fetch(world.url()))).toMatchObject({ code: 'media_fetch_failed' });
      expect(world.requests).toHaveLength(4);
    });
  });

  test.each(['other', './a/../other', '?query', '//HOST/other', 'http://HOST/other', 'HTTP://HOST/other#part'])(
    'the location %s is resolved',
    async (location) => {
      let host = '';
      const handler: RequestListener = (request, response) => redirectTo(location.replace('HOST', host))(request, response);
      await inMediaWorld(handler, async (world) => {
        host = `${hostName}:${world.port}`;
        await (await world.fetch(world.url())).release();
        expect(world.requests).toHaveLength(2);
      });
    },
  );

  test.each([
    ['/Preisliste für März.pdf', '/Preisliste%20f%C3%BCr%20M%C3%A4rz.pdf'],
    ['/价格.pdf', '/%E4%BB%B7%E6%A0%BC.pdf'],
  ])('the location %s in bare UTF-8 is resolved as browsers do [media.answers]', async (location, path) => {
    // Node writes a header's characters as bytes, and takes no others.
    await inMediaWorld(redirectTo(Buffer.from(location).toString('latin1')), async (world) => {
      await (await world.fetch(world.url())).release();
      expect(world.requests[1]?.url).toBe(path);
    });
  });

  test('a location in Latin-1 is taken letter by letter', async () => {
    await inMediaWorld(redirectTo('/caf\u00e9'), async (world) => {
      await (await world.fetch(world.url())).release();
      expect(world.requests[1]?.url).toBe('/caf%C3%A9');
    });
  });

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost/',
    'http://metadata.google.internal/',
    'http://rebound.example/',
    'http://user:secret@files.example.test/',
    'ftp://files.example.test/',
    'file:///etc/passwd',
    'data:text/plain,hello',
    'http://',
    `http://files.example.test/${'a'.repeat(2048)}`,
  ])('to %s fail the fetch without a connection [media.redirects]', async (location) => {
    const lookup = async (name: string) => [name === hostName ? '127.0.0.1' : '10.0.0.1'];
    await inMediaWorld(
      redirectTo(location),
      async (world) => {
        const error = await failureOf(world.fetch(world.url()));
        expect(error).toMatchObject({ code: 'media_fetch_failed', status: 422 });
        expect(error.message).not.toMatch(/127|10\.0|169\.254|resolve/);
        expect(world.requests).toHaveLength(1);
        expect(await world.files()).toEqual([]);
        expect(world.clock.pending).toBe(0);
      },
      { lookup },
    );
  });

  test('to another host of the allow-list are followed, by its own name', async () => {
    let port = 0;
    const handler: RequestListener = (request, response) => redirectTo(`http://storage.internal:${port}/other`)(request, response);
    await inMediaWorld(
      handler,
      async (world) => {
        port = world.port;
        await (await world.fetch(world.url())).release();
        expect(world.requests[1]?.headers.host).toBe(`storage.internal:${port}`);
      },
      { allowHosts: [hostName, 'storage.internal'] },
    );
  });

  test('share the 60 seconds [media.time]', async () => {
    const { promise: lookedUp, resolve: looksUp } = Promise.withResolvers<void>();
    const lookup = async (name: string) => {
      if (name !== hostName) looksUp();
      return name === hostName ? ['127.0.0.1'] : new Promise<never>(() => {});
    };
    await inMediaWorld(
      redirectTo('http://slow.example/'),
      async (world) => {
        const failing = failureOf(world.fetch(world.url()));
        await lookedUp;
        world.clock.advance(60_000);
        expect(await failing).toMatchObject({ code: 'media_fetch_failed' });
        expect(await world.files()).toEqual([]);
      },
      { lookup },
    );
  });
});
