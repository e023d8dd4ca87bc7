import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { Semaphore } from '../../src/core/index.ts';
import { failureOf, inMediaWorld, pour, until } from './media-world.ts';

const forever = new AbortController().signal;

describe('slots', () => {
  test('are given in order of arrival, and freed once', async () => {
    const semaphore = new Semaphore(1, 1);
    const order: string[] = [];
    const first = await semaphore.take(null, forever);
    const waiting = ['b', 'c'].map(async (name) => {
      const free = await semaphore.take(null, forever);
      order.push(name);
      free();
      free();
    });
    first();
    first();
    await Promise.all(waiting);
    expect(order).toEqual(['b', 'c']);
  });

  test('leave room for others when one owner has its share', async () => {
    const semaphore = new Semaphore(3, 2);
    const started: string[] = [];
    const take = async (owner: string) => {
      const free = await semaphore.take(owner, forever);
      started.push(owner);
      return free;
    };
    const [one] = await Promise.all([take('greedy'), take('greedy')]);
    const third = take('greedy');
    await take('other');
    expect(started).toEqual(['greedy', 'greedy', 'other']);
    one();
    await third;
    expect(started).toHaveLength(4);
  });

  test('are not waited for after an abort', async () => {
    const semaphore = new Semaphore(1, 1);
    const free = await semaphore.take(null, forever);
    const controller = new AbortController();
    const waiting = semaphore.take(null, controller.signal);
    controller.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(semaphore.take(null, controller.signal)).rejects.toThrow('enough');
    free();
    (await semaphore.take(null, forever))();
  });
});

test('no more downloads than allowed run at once; waiting counts towards the 60 s', async () => {
  const responses: ServerResponse[] = [];
  await inMediaWorld(
    (_request, response) => void responses.push(response),
    async (world) => {
      const fetching = ['/a', '/b', '/c'].map((path) => world.fetch(world.url(path)));
      await until(() => responses.length === 2);
      for (const response of responses) response.end('content');
      await Promise.all(fetching.slice(0, 2));
      await until(() => responses.length === 3);
      world.clock.advance(60_000);
      expect((await failureOf(Promise.all(fetching))).code).toBe('media_fetch_failed');
    },
    { maxConcurrent: 2 },
  );
});

test('an account waits in no queue of another one, even for the same link', async () => {
  await inMediaWorld(
    (request, response) => (request.url === '/slow' ? undefined : response.end('content')),
    async (world) => {
      const ended: Promise<unknown>[] = [];
      for (const path of ['/slow', '/file']) ended.push(failureOf(world.fetch(world.url(path), { accountId: 'a' })));
      await until(() => world.requests.length === 1);
      await (await world.fetch(world.url('/file'), { accountId: 'b' })).release();
      expect(world.requests.map(({ url }) => url)).toEqual(['/slow', '/file']);
      await world.fetcher.close();
      await Promise.all(ended);
    },
    { maxConcurrentPerAccount: 1 },
  );
});

test('close aborts what runs and what waits, and leaves nothing behind', async () => {
  await inMediaWorld(
    (_request, response) => response.write('some of it'),
    async (world) => {
      const fetching = ['/a', '/b'].map((path) => failureOf(world.fetch(world.url(path))));
      await until(async () => (await world.files()).length === 1);
      await world.fetcher.close();
      for (const error of await Promise.all(fetching)) expect(error.code).toBe('upstream_unavailable');
      expect(await world.files()).toEqual([]);
      expect(world.clock.pending).toBe(0);
      expect((await failureOf(world.fetch(world.url()))).code).toBe('upstream_unavailable');
    },
    { maxConcurrent: 1 },
  );
});

test('memory stays flat while 200 MB pass [media.memory]', async () => {
  const megabyte = 1_000_000;
  let peak = 0;
  await inMediaWorld(
    (request, response) => void pour(response, Number(request.url?.slice(1)), () => (peak = Math.max(peak, process.memoryUsage.rss()))),
    async (world) => {
      await (await world.fetch(world.url(`/${50 * megabyte}`))).release();
      const before = process.memoryUsage.rss();
      peak = before;
      const media = await world.fetch(world.url(`/${200 * megabyte}`));
      expect(media.size).toBe(200 * megabyte);
      expect((peak - before) / megabyte).toBeLessThan(60);
      await media.release();
    },
    { maxBytes: 300 * megabyte },
  );
});
