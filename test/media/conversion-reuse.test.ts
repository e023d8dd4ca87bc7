import { readdir, readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';
import { withoutDescriptors } from '../support/without-descriptors.ts';
import { silence } from './bombs.ts';
import { expectOriginal, inConversionWorld } from './conversion-world.ts';
import { failureOf } from './media-world.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Long enough to be under way for as long as a test looks at it. */
const endless = silence(5 * 60 * 60);
const short = silence(1);
const picture = () =>
  sharp({ create: { width: 99, height: 99, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

/** The processes that this one has started and that still run, by id. */
async function children(): Promise<string[]> {
  const tasks = await readdir('/proc/self/task');
  const lists = await Promise.all(tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '')));
  return lists.flatMap((list) => list.split(' ').filter((pid) => pid !== ''));
}

describe('the same file for the same use is converted once', () => {
  test('for all who send it at the same time', async () => {
    await inConversionWorld(async (world) => {
      const all = await Promise.all(Array.from({ length: 10 }, () => world.prepare(short, 'voice')));
      expect(new Set(all.map((media) => media.path)).size).toBe(1);
      expect(world.unreleased.size).toBe(0);
      for (const media of all) {
        expect(await world.files()).toHaveLength(1);
        await media.release();
        await media.release();
      }
      expect(await world.files()).toEqual([]);
    });
  });

  test('for all who send it one after the other, if its server lets it be used again', async () => {
    await inConversionWorld(async (world) => {
      const first = await world.prepare(short, 'voice', { reusable: true });
      await first.release();
      const second = await world.prepare(short, 'voice', { reusable: true });
      expect(second).toMatchObject({ path: first.path, facts: first.facts, mimeType: first.mimeType });
      await second.release();
      expect(await world.files()).toHaveLength(1);
      const asDocument = await world.prepare(short, 'document', { reusable: true });
      expect(asDocument.size).toBe(short.length);
      await asDocument.release();
    });
  });

  test('also when it came to nothing', async () => {
    await inConversionWorld(async (world) => {
      const bytes = Buffer.from('no sound');
      for (let i = 0; i < 3; i++) await expectOriginal(world, await world.prepare(bytes, 'voice', { reusable: true }), bytes);
      expect(world.failures).toHaveLength(1);
    });
  });

  test('but again when its tool was killed, as for lack of memory', async () => {
    await inConversionWorld(async (world) => {
      for (let round = 0; round < 2; round++) {
        const preparing = world.prepare(endless, 'voice', { reusable: true });
        await waitFor(async () => expect(await world.files()).toHaveLength(1));
        for (const pid of await children()) process.kill(Number(pid), 'SIGKILL');
        await expectOriginal(world, await preparing, endless);
      }
      expect(world.failures).toEqual(['ffmpeg was killed', 'ffmpeg was killed']);
    });
  });

  test('and what is kept is bounded', async () => {
    await inConversionWorld(
      async (world) => {
        for (const seconds of [1, 2, 3, 4]) await (await world.prepare(silence(seconds), 'voice', { reusable: true })).release();
        expect(await world.files()).toHaveLength(2);
      },
      { cache: { maxEntries: 2, maxBytes: 1_000_000 } },
    );
    await inConversionWorld(
      async (world) => {
        await (await world.prepare(short, 'voice', { reusable: true })).release();
        expect(await world.files()).toEqual([]);
      },
      { cache: { maxEntries: 2, maxBytes: 10 } },
    );
  });
});

describe('a conversion that takes too long', () => {
  test('is stopped, and the file sent as it is', async () => {
    const clock = createManualClock();
    await inConversionWorld(
      async (world) => {
        const preparing = world.prepare(endless, 'voice', { reusable: true });
        await waitFor(async () => expect(await world.files()).toHaveLength(1));
        expect(await children()).toHaveLength(1);
        clock.advance(20_000);
        await expectOriginal(world, await preparing, endless);
        expect(world.failures).toEqual(['it took too long']);
        expect(await children()).toEqual([]);
      },
      { clock },
    );
  });

  test('keeps others of its account waiting for some time only, and other accounts not at all, even with the same file', async () => {
    const clock = createManualClock();
    await inConversionWorld(
      async (world) => {
        const slow = world.prepare(endless, 'voice');
        await waitFor(async () => expect(await world.files()).toHaveLength(1));
        const files = [await world.fetched(short, 'voice'), await world.fetched(short, 'voice')] as const;
        const waiting = world.converter.prepare(files[0], 'account');
        const other = await world.converter.prepare(files[1], 'another account');
        expect(other.facts).toMatchObject({ durationSeconds: 1 });
        await other.release();
        clock.advance(20_000);
        expect((await slow).facts).toBeUndefined();
        const late = await waiting;
        await Promise.all([(await slow).release(), late.release()]);
        expect(world.unreleased.size).toBe(0);
        expect(await world.files()).toEqual([]);
      },
      { clock, maxConcurrent: 2 },
    );
  });
});

describe('close', () => {
  test('stops what is under way, and leaves no file and no process', async () => {
    await inConversionWorld(async (world) => {
      const sound = failureOf(world.prepare(endless, 'voice'));
      await waitFor(async () => expect(await world.files()).toHaveLength(1));
      const image = await world.prepare(await picture(), 'image', { accountId: 'another account' });
      await image.release();
      expect(await children()).toHaveLength(2);
      await world.converter.close();
      expect((await sound).code).toBe('upstream_unavailable');
      expect((await failureOf(world.prepare(short, 'voice'))).code).toBe('upstream_unavailable');
      expect(await children()).toEqual([]);
      expect(await world.files()).toEqual([]);
      expect(world.unreleased.size).toBe(0);
    });
  });

  test('removes what was kept, and not what is in use', async () => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(short, 'voice', { reusable: true });
      await (await world.prepare(silence(2), 'voice', { reusable: true })).release();
      expect(await world.files()).toHaveLength(2);
      await world.converter.close();
      expect(await readFile(media.path)).toHaveLength(media.size);
      await media.release();
      expect(await world.files()).toEqual([]);
    });
  });
});

describe('the process that reads pictures', () => {
  test('is used again, and ends when there was nothing to read for 30 seconds', async () => {
    const clock = createManualClock();
    await inConversionWorld(
      async (world) => {
        await (await world.prepare(await picture(), 'image')).release();
        const [first, ...others] = await children();
        expect(others).toEqual([]);
        clock.advance(29_000);
        await (await world.prepare(await picture(), 'sticker')).release();
        clock.advance(29_000);
        expect(await children()).toEqual([first]);
        clock.advance(1_000);
        await waitFor(async () => expect(await children()).toEqual([]));
        const again = await world.prepare(await picture(), 'image');
        expect(again.facts).toMatchObject({ width: 99 });
        await again.release();
      },
      { clock },
    );
  });

  test('is replaced when it ends by itself', async () => {
    await inConversionWorld(async (world) => {
      await (await world.prepare(await picture(), 'image')).release();
      for (const pid of await children()) process.kill(Number(pid), 'SIGKILL');
      await waitFor(async () => expect(await children()).toEqual([]));
      const again = await world.prepare(await picture(), 'image');
      expect(again.facts).toMatchObject({ width: 99 });
      await again.release();
    });
  });
});

test('while nothing more can be opened, pictures and sound are sent as they are, and later ones are converted', async () => {
  await inConversionWorld(async (world) => {
    const files = [[await picture(), 'image'] as const, [short, 'voice'] as const];
    for (const [bytes, use] of files) {
      const fetched = await world.fetched(bytes, use, { reusable: true });
      await expectOriginal(world, await withoutDescriptors(() => world.converter.prepare(fetched, 'account')), bytes);
    }
    const unexpected = expect.stringMatching(/^a conversion failed unexpectedly.* EMFILE/);
    expect(world.warnings).toEqual([unexpected, unexpected]);
    for (const [bytes, use] of files) {
      const media = await world.prepare(bytes, use, { reusable: true });
      expect(media.facts).toBeDefined();
      await media.release();
    }
  });
});

test('without ffmpeg sound and video are sent as they are, and the log says why, once', async () => {
  vi.stubEnv('PATH', '/nonexistent');
  await inConversionWorld(async (world) => {
    for (const bytes of [short, silence(2)]) await expectOriginal(world, await world.prepare(bytes, 'voice', { reusable: true }), bytes);
    await expectOriginal(world, await world.prepare(short, 'video'), short);
    expect(world.warnings).toEqual([
      'ffmpeg is not installed: files are sent as they are, without conversion',
      'ffprobe is not installed: files are sent as they are, without conversion',
    ]);
    // It may be installed while the gateway runs.
    vi.unstubAllEnvs();
    const media = await world.prepare(short, 'voice', { reusable: true });
    expect(media.facts).toMatchObject({ durationSeconds: 1 });
    await media.release();
  });
});
