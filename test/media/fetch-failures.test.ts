import { once } from 'node:events';
import { mkdir, rm, stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { failureOf, hostName, inMediaWorld, type MediaWorld, pour, until } from './media-world.ts';

const mebibyte = 1024 * 1024;

/** The fetch fails as the contract says, tells nothing internal, and leaves nothing behind. */
async function expectFailure(world: MediaWorld, fetching: Promise<unknown>, reason: string): Promise<void> {
  const error = await failureOf(fetching);
  expect(error).toMatchObject({ code: 'media_fetch_failed', status: 422, details: undefined });
  expect(error.message).toContain(reason);
  expect(error.message).not.toMatch(/127\.0\.0|UND_ERR|ECONN|undici|\/tmp|\n +at /);
  expect(await world.files()).toEqual([]);
  expect(world.clock.pending).toBe(0);
}

describe('an answer that is no file', () => {
  test.each([304, 400, 401, 403, 404, 410, 429, 500, 503, 206, 300])('status %i [media.status]', async (status) => {
    await inMediaWorld(
      (_request, response) => response.writeHead(status).end('a page about it'),
      (world) => expectFailure(world, world.fetch(world.url()), `answered ${status}`),
    );
  });

  test.each<[string, string, RequestListener]>([
    ['empty', 'empty', (_request, response) => response.end()],
    ['status 204', 'empty', (_request, response) => response.writeHead(204).end()],
    ['gzip of nothing', 'empty', (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(''))],
    [
      'more content encodings than anybody needs',
      'too many times',
      (_request, response) => response.setHeader('content-encoding', 'gzip, br, gzip, br').end('x'),
    ],
    [
      'not the gzip it claims',
      'before the file was complete',
      (_request, response) => response.setHeader('content-encoding', 'gzip').end('plain'),
    ],
    [
      'gzip cut off',
      'before the file was complete',
      (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(1e5)).subarray(0, 60)),
    ],
    ['redirect without location', 'answered 302', (_request, response) => response.writeHead(302).end()],
    ['headers without end', 'did not answer properly', (_request, response) => response.setHeader('x', 'y'.repeat(40_000)).end('x')],
  ])('%s', async (_name, reason, handler) => {
    await inMediaWorld(handler, (world) => expectFailure(world, world.fetch(world.url()), reason));
  });
});

describe('a file that is too large', () => {
  test('without end: cut off at the limit [media.max-bytes]', async () => {
    let sent = 0;
    await inMediaWorld(
      (_request, response) => void pour(response, Number.POSITIVE_INFINITY, () => (sent += 1)),
      async (world) => {
        await expectFailure(world, world.fetch(world.url()), `${mebibyte} bytes`);
        await until(() => world.requests.every((request) => request.destroyed));
        // What the sockets' buffers hold comes on top.
        expect(sent * 64 * 1024).toBeLessThan(20 * mebibyte);
      },
      { maxBytes: mebibyte },
    );
  });

  test('by its Content-Length: not even begun', async () => {
    await inMediaWorld(
      (_request, response) => response.writeHead(200, { 'content-length': mebibyte + 1 }).write('x'),
      (world) => expectFailure(world, world.fetch(world.url()), `${mebibyte} bytes`),
      { maxBytes: mebibyte },
    );
  });

  test('by one byte', async () => {
    await inMediaWorld(
      (_request, response) => void pour(response, mebibyte + 1),
      (world) => expectFailure(world, world.fetch(world.url()), `${mebibyte} bytes`),
      { maxBytes: mebibyte },
    );
  });

  test('only after decoding', async () => {
    await inMediaWorld(
      (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(50 * mebibyte))),
      (world) => expectFailure(world, world.fetch(world.url()), `${mebibyte} bytes`),
      { maxBytes: mebibyte },
    );
  });

  test('only after decoding, by one byte', async () => {
    await inMediaWorld(
      (_request, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(mebibyte + 1))),
      (world) => expectFailure(world, world.fetch(world.url()), `${mebibyte} bytes`),
      { maxBytes: mebibyte },
    );
  });

  test('only before decoding', async () => {
    const nothing = gzipSync('');
    await inMediaWorld(
      (_request, response) =>
        response.setHeader('content-encoding', 'gzip').end(Buffer.concat(Array.from({ length: 10_000 }, () => nothing))),
      (world) => expectFailure(world, world.fetch(world.url()), '100000 bytes'),
      { maxBytes: 100_000 },
    );
  });

  test('only between two codings', async () => {
    const nothing = gzipSync('');
    const nested = gzipSync(Buffer.concat(Array.from({ length: 10_000 }, () => nothing)));
    await inMediaWorld(
      (_request, response) => response.setHeader('content-encoding', 'gzip, gzip').end(nested),
      (world) => expectFailure(world, world.fetch(world.url()), '100000 bytes'),
      { maxBytes: 100_000 },
    );
  });
});

test('a file whose type cannot be found, because nothing more can be opened, is not taken for one without a type', async () => {
  const out = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  vi.doMock('file-type', () => ({ fileTypeFromFile: () => Promise.reject(out) }));
  try {
    await inMediaWorld(
      (_request, response) => response.end(Buffer.from('\x7fELF\0')),
      (world) => expectFailure(world, world.fetch(world.url(), { use: 'image' }), 'cannot open another file'),
    );
  } finally {
    vi.doUnmock('file-type');
  }
});

test('a temporary file that cannot be removed is logged and fails no send', async () => {
  await inMediaWorld(
    (_request, response) => response.end('a file'),
    async (world) => {
      const media = await world.fetch(world.url());
      await rm(media.path);
      await mkdir(media.path);
      await media.release();
      expect(world.warnings).toEqual(['a temporary file could not be removed; the next start tries again']);
    },
  );
});

describe('a connection that fails', () => {
  /** A server below HTTP. */
  async function inRawWorld(onSocket: (socket: Socket) => void, run: (world: MediaWorld, url: string) => Promise<void>): Promise<void> {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      onSocket(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      await inMediaWorld(
        () => {},
        (world) => run(world, `http://${hostName}:${port}/`),
      );
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  }

  const answer = (text: string) => (socket: Socket) => socket.once('data', () => socket.end(text));

  test.each<[string, string, (socket: Socket) => void]>([
    ['closed at once', 'could not be reached', (socket) => socket.end()],
    ['reset at once', 'could not be reached', (socket) => socket.resetAndDestroy()],
    ['closed after the request', 'could not be reached', answer('')],
    ['reset after the request', 'could not be reached', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['another protocol', 'not valid HTTP', (socket) => socket.write('220 smtp.example ESMTP\r\n')],
    [
      'switching protocols',
      'could not be reached',
      answer('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nx'),
    ],
    ['broken headers', 'not valid HTTP', answer('HTTP/1.1 200 OK\r\nno colon here\r\n\r\n')],
    ['shorter than its Content-Length', 'before the file was complete', answer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort')],
    [
      'cut off between chunks',
      'before the file was complete',
      answer('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n'),
    ],
    ['broken chunks', 'not valid HTTP', answer('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nshort\r\n')],
  ])('%s: %s [media.no-http]', async (_name, reason, onSocket) => {
    await inRawWorld(onSocket, (world, url) => expectFailure(world, world.fetch(url), reason));
  });

  test('reset in the middle of the body', async () => {
    let reset = () => {};
    const begin = (socket: Socket) => {
      reset = () => socket.resetAndDestroy();
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'));
    };
    await inRawWorld(begin, async (world, url) => {
      const fetching = world.fetch(url);
      await until(async () => (await sizeOfOnlyFile(world)) === 5);
      reset();
      await expectFailure(world, fetching, 'before the file was complete');
    });
  });

  // The sender is ahead of the disk when it hangs up: what ended the process with undici 7.
  test.each(['Content-Length: 200000', 'X: y', 'Content-Length: 60000000'])('closed while the reader is behind (%s)', async (header) => {
    const send = (socket: Socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${header}\r\nConnection: close\r\n\r\n${'x'.repeat(2e6)}`));
    await inRawWorld(send, async (world, url) => {
      for (let round = 0; round < 20; round++) {
        const outcome = world.fetch(url).then((media) => media.release());
        if (header.endsWith('60000000')) await expectFailure(world, outcome, 'before the file was complete');
        else await outcome;
      }
    });
  });

  test('a name that does not resolve', async () => {
    await inMediaWorld(
      () => {},
      (world) => expectFailure(world, world.fetch(world.url()), 'does not resolve'),
      { lookup: async () => [] },
    );
  });

  test('nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    await inMediaWorld(
      () => {},
      (world) => expectFailure(world, world.fetch(`http://${hostName}:${port}/`), 'could not be reached'),
    );
  });
});

describe('a server that takes its time', () => {
  test('to finish the TLS handshake: 10 s', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    const connected = once(server, 'connection');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await inMediaWorld(
      () => {},
      async (world) => {
        const fetching = world.fetch(`https://${hostName}:${port}/`);
        const [socket] = (await connected) as [Socket];
        socket.on('error', () => {});
        world.clock.advance(9_999);
        expect(world.clock.pending).toBe(2);
        world.clock.advance(1);
        await expectFailure(world, fetching, 'could not be reached in time');
      },
    );
    server.close();
  });

  test('to answer: 30 s', async () => {
    await inMediaWorld(
      () => {},
      async (world) => {
        const fetching = world.fetch(world.url());
        await until(() => world.requests.length === 1);
        world.clock.advance(29_999);
        expect(world.clock.pending).toBe(2);
        world.clock.advance(1);
        await expectFailure(world, fetching, 'did not answer in time');
      },
    );
  });

  test('to go on: 30 s', async () => {
    await inMediaWorld(
      (_request, response) => response.write('x'),
      async (world) => {
        const fetching = world.fetch(world.url());
        await until(async () => (await sizeOfOnlyFile(world)) === 1);
        world.clock.advance(29_999);
        expect(world.clock.pending).toBe(2);
        world.clock.advance(1);
        await expectFailure(world, fetching, 'stopped sending');
      },
    );
  });

  test('drop by drop: 60 s in total [media.time]', async () => {
    let drip = (): unknown => null;
    await inMediaWorld(
      (_request, response) => {
        drip = () => response.write('x');
        drip();
      },
      async (world) => {
        const fetching = world.fetch(world.url());
        for (let drops = 1; drops <= 3; drops++) {
          await until(async () => (await sizeOfOnlyFile(world)) === drops);
          world.clock.advance(drops < 3 ? 20_000 : 19_999);
          drip();
        }
        await until(async () => (await sizeOfOnlyFile(world)) === 4);
        world.clock.advance(1);
        await expectFailure(world, fetching, '60 seconds');
      },
    );
  });
});

async function sizeOfOnlyFile(world: MediaWorld): Promise<number> {
  const [name] = await world.files();
  return name === undefined ? 0 : (await stat(`${world.directory}/${name}`)).size;
}
