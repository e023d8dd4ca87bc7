import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import { createLogoMaker } from '../../src/media/index.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { waitFor } from '../support/wait-for.ts';

test('a picture that there was no time to read is not called an unreadable one', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'logo-test-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const clock = createManualClock();
  const logos = createLogoMaker({ clock, directory, log: { warn: () => undefined } });
  onTestFinished(() => logos.close());
  const picture = await sharp({ create: { width: 99, height: 99, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const late = expect(logos.make(picture)).rejects.toThrow('the logo took too long');
  await waitFor(() => expect(clock.pendingOf(20_000)).toBe(1));
  clock.advance(20_000);
  await late;
  expect(await readdir(directory)).toEqual([]);
  expect(await logos.make(picture)).not.toBeNull();
});
