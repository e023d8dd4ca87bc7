import { createHash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { GatewayError, StoreUnavailable } from '../../src/core/index.ts';
import { inMediaWorld } from './media-world.ts';

const content = Buffer.from('the quick brown fox '.repeat(1000));
const sha256 = createHash('sha256').update(content).digest('hex');

describe('a fetched file', () => {
  test('is on disk, with size and hash, for this user only, until it is released', async () => {
    await inMediaWorld(
      (_request, response) => response.setHeader('content-type', 'image/png').end(content),
      async (world) => {
        const media = await world.fetch(world.url('/a.png?b=c'));
        expect(media).toMatchObject({ size: content.length, sha256, mimeType: 'image/png', use: 'document' });
        expect(await readFile(media.path)).toEqual(content);
        expect((await stat(media.path)).mode & 0o777).toBe(0o600);
        await media.release();
        await media.release();
        expect(await world.files()).toEqual([]);
        expect(world.clock.pending).toBe(0);
      },
    );
  });

  test('is asked for by name, without cookies, referer or compression', async () => {
    await inMediaWorld(
      (_request, response) => response.setHeader('set-cookie', 'a=b').end(content),
      async (world) => {
        await (await world.fetch(world.url('/a%20b?c'))).release();
        await (await world.fetch(world.url('/a%20b?c'))).release();
        expect(world.requests).toHaveLength(2);
        for (const request of world.requests) {
          expect(request.method).toBe('GET');
          expect(request.url).toBe('/a%20b?c');
          expect(request.headers).toEqual({
            host: `files.example.test:${world.port}`,
            connection: 'close',
            'user-agent': 'messaging-gateway',
            accept: '*/*',
            'accept-encoding': 'identity',
          });
        }
      },
    );
  });

  test.each([
    ['gzip', gzipSync(content)],
    ['x-gzip', gzipSync(content)],
    ['GZIP', gzipSync(content)],
    ['deflate', deflateSync(content)],
    ['br', brotliCompressSync(content)],
    ['zstd', zstdCompressSync(content)],
    ['identity', content],
    ['deflate', deflateRawSync(content)],
    ['gzip,', gzipSync(content)],
    ['gzip, identity', gzipSync(content)],
    ['deflate, gzip', gzipSync(deflateSync(content))],
    ['aws-chunked,gzip', gzipSync(content)],
    ['aws-chunked', content],
    ['UTF-8', content],
    ['none', content],
    ['pack200', content],
    [',', content],
  ])('is read when the server says of its content encoding %s [media.answers]', async (encoding, body) => {
    await inMediaWorld(
      (_request, response) => response.setHeader('content-encoding', encoding).end(body),
      async (world) => {
        const media = await world.fetch(world.url());
        expect(media).toMatchObject({ size: content.length, sha256 });
        await media.release();
      },
    );
  });

  test('may be exactly as large as allowed [media.max-bytes]', async () => {
    await inMediaWorld(
      (_request, response) => response.end(content),
      async (world) => {
        const media = await world.fetch(world.url());
        expect(media.size).toBe(content.length);
        await media.release();
      },
      { maxBytes: content.length },
    );
  });
});

test('what a crash left behind is removed, and nothing else [media.crash]', async () => {
  await inMediaWorld(
    (_request, response) => response.end(content),
    async (world) => {
      const own = ['media-0123456789abcdef0123456789abcdef.tmp', 'media-ffffffffffffffffffffffffffffffff.tmp'];
      const others = ['media-0123.tmp', 'media-0123456789abcdef0123456789abcdef.tmp.bak', 'photo.png'];
      for (const name of [...own, ...others]) await writeFile(join(world.directory, name), 'x');
      expect(await world.fetcher.cleanUp()).toBe(own.length);
      expect((await world.files()).sort()).toEqual(others);
    },
  );
});

test('the directory is made when it does not exist', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'media-test-'));
  await inMediaWorld(
    (_request, response) => response.end(content),
    async (world) => {
      await (await world.fetch(world.url())).release();
    },
    { directory: join(parent, 'a', 'b') },
  );
  await rm(parent, { recursive: true });
});

test('a disk that fails is not blamed on the link', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'media-test-'));
  await writeFile(join(parent, 'file'), '');
  await inMediaWorld(
    (_request, response) => response.end(content),
    async (world) => {
      const error: unknown = await world.fetch(world.url()).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(GatewayError);
    },
    { directory: join(parent, 'file', 'below') },
  );
  await rm(parent, { recursive: true });
});

test.each(['ENOSPC', 'EDQUOT'])('a full disk is called one (%s), and what was written is removed', async (code) => {
  await inMediaWorld(
    (_request, response) => response.end(content),
    async (world) => {
      const handle = await open('/dev/null');
      const files: FileHandle = Object.getPrototypeOf(handle);
      await handle.close();
      vi.spyOn(files, 'writeFile').mockRejectedValueOnce(Object.assign(new Error(code), { code }));
      const error: unknown = await world.fetch(world.url()).catch((reason: unknown) => reason);
      vi.restoreAllMocks();
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(await world.files()).toEqual([]);
    },
  );
});
