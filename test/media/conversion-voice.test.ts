import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { isMonoOpus } from '../../src/media/conversion/mono-opus.ts';
import { type ConversionWorld, expectOriginal, inConversionWorld, made, probe } from './conversion-world.ts';

const stereoTone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=3', '-ac', '2'];
/** A second of silence, then a second of sound. */
const late = ['-f', 'lavfi', '-i', 'aevalsrc=exprs=if(gte(t\\,1)\\,sin(2000*t)/2\\,0):duration=2:sample_rate=44100'];
const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:duration=3:rate=5'];

describe('sound becomes a voice note', () => {
  test.each([
    ['voice.wav', stereoTone],
    ['voice.mp3', stereoTone],
    ['voice.m4a', stereoTone],
    ['voice.aac', stereoTone],
    ['voice.flac', stereoTone],
    ['vorbis.ogg', [...stereoTone, '-c:a', 'vorbis', '-strict', '-2']],
    ['opus.webm', [...stereoTone, '-c:a', 'libopus']],
    ['film.mp4', [...picture, ...stereoTone, '-shortest']],
  ])('%s', async (name, args) => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, name, args);
      const media = await world.prepare(bytes, 'voice');
      expect(world.warnings).toEqual([]);
      expect(media.mimeType).toBe('audio/ogg; codecs=opus');
      const { streams, format } = await probe(media.path);
      expect(streams).toMatchObject([{ codec_name: 'opus', channels: 1, sample_rate: '48000' }]);
      expect(format).toMatchObject({ format_name: 'ogg', size: String(media.size) });
      expect(Number(format.duration)).toBeCloseTo(3, 0);
      expect(media.facts).toMatchObject({ durationSeconds: 3 });
      expect(media.facts?.waveform).toHaveLength(64);
      expect(Math.min(...(media.facts?.waveform ?? []).slice(2, 60))).toBeGreaterThan(80);
      // The original goes as soon as it is not needed any more, the voice note with its last user.
      expect(world.unreleased.size).toBe(0);
      expect(await world.files()).toHaveLength(1);
      await media.release();
      expect(await world.files()).toEqual([]);
    });
  });

  test('whose waveform shows where the sound is', async () => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await made(world, 'late.wav', late), 'voice');
      const waveform = [...(media.facts?.waveform ?? [])];
      expect(waveform).toHaveLength(64);
      expect(Math.max(...waveform.slice(0, 30))).toBeLessThan(5);
      expect(Math.min(...waveform.slice(34))).toBeGreaterThan(80);
      expect(Math.max(...waveform)).toBe(100);
      await media.release();
    });
  });

  test('whose bytes are the same each time, so that a network can tell it has them', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, 'voice.wav', stereoTone);
      const first = await world.prepare(bytes, 'voice');
      await first.release();
      const second = await world.prepare(bytes, 'voice');
      expect(second.sha256).toBe(first.sha256);
      expect(second.path).not.toBe(first.path);
      await second.release();
    });
  });

  test('without what the file says of its maker', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, 'titled.mp3', [...stereoTone, '-metadata', 'title=a secret place']);
      const media = await world.prepare(bytes, 'voice');
      expect((await readFile(media.path)).includes('a secret place')).toBe(false);
      await media.release();
    });
  });
});

const opus = ['-c:a', 'libopus', '-ac', '1'];

describe('mono Ogg/Opus stays as it is', () => {
  test('with duration and waveform [media.mono]', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, 'voice.ogg', [...late, ...opus]);
      const media = await world.prepare(bytes, 'voice');
      expect((await readFile(media.path)).equals(bytes)).toBe(true);
      expect(media).toMatchObject({ mimeType: 'audio/ogg; codecs=opus', facts: { durationSeconds: 2 } });
      expect(media.facts?.waveform?.[5]).toBeLessThan(5);
      expect(media.facts?.waveform?.[60]).toBeGreaterThan(80);
      await media.release();
      expect(world.unreleased.size).toBe(0);
    });
  });

  test('when its sound is broken too, without facts', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, 'voice.ogg', [...late, ...opus]);
      const broken = Buffer.concat([bytes.subarray(0, 200), Buffer.alloc(4000, 1)]);
      const media = await world.prepare(broken, 'voice');
      expect((await readFile(media.path)).equals(broken)).toBe(true);
      expect(media.facts).toBeUndefined();
      await media.release();
    });
  });
});

describe('Ogg/Opus that some phones would not play is converted', () => {
  const cases: [string, number, (world: ConversionWorld) => Promise<Buffer>][] = [
    ['stereo', 2, (world) => made(world, 'voice.ogg', [...late, '-c:a', 'libopus', '-ac', '2'])],
    [
      'a chain of two recordings',
      4,
      async (world) => Buffer.concat([await made(world, 'a.ogg', [...late, ...opus]), await made(world, 'b.ogg', [...late, ...opus])]),
    ],
    ['two recordings beside each other', 2, (world) => made(world, 'voice.ogg', [...late, ...late, '-map', '0', '-map', '1', ...opus])],
    [
      'with something between its pages',
      2,
      async (world) => Buffer.concat([await made(world, 'voice.ogg', [...late, ...opus]), Buffer.from('and more'.repeat(20))]),
    ],
  ];
  test.each(cases)('%s [media.mono]', async (_, durationSeconds, make) => {
    await inConversionWorld(async (world) => {
      const media = await world.prepare(await make(world), 'voice');
      expect(world.failures).toEqual([]);
      expect(media).toMatchObject({ mimeType: 'audio/ogg; codecs=opus', facts: { durationSeconds } });
      const { streams, format } = await probe(media.path);
      expect(streams).toMatchObject([{ codec_name: 'opus', channels: 1 }]);
      expect(Number(format.duration)).toBeCloseTo(durationSeconds, 0);
      // The original has gone, so this is another file, and it is a voice note that would be taken as it is.
      expect(world.unreleased.size).toBe(0);
      expect(await isMonoOpus(media.path)).toBe(true);
      await media.release();
    });
  });
});

describe('what has no sound is sent as it is', () => {
  const cases: [string, (world: ConversionWorld) => Promise<Buffer>][] = [
    ['bytes that mean nothing', async () => Buffer.from('not a sound at all, whatever its name says')],
    ['a film without sound', (world) => made(world, 'silent.mp4', [...picture, '-an'])],
    ['a picture', (world) => made(world, 'one.png', [...picture, '-frames:v', '1'])],
    ['the beginning of an m4a', async (world) => (await made(world, 'voice.m4a', stereoTone)).subarray(0, 2000)],
    ['a wav without samples', async (world) => (await made(world, 'voice.wav', stereoTone)).subarray(0, 60)],
  ];
  test.each(cases)('%s', async (_, input) => {
    await inConversionWorld(async (world) => {
      const bytes = await input(world);
      await expectOriginal(world, await world.prepare(bytes, 'voice'), bytes);
      expect(world.warnings).toEqual([]);
      expect(world.failures).toHaveLength(1);
    });
  });

  test('and sound whose voice note would be larger than a file may be', async () => {
    await inConversionWorld(async (world) => {
      const bytes = await made(world, 'voice.wav', stereoTone);
      const note = await world.prepare(bytes, 'voice');
      await note.release();
      const exactly = async (again: ConversionWorld) => {
        const media = await again.prepare(bytes, 'voice');
        expect(media.sha256).toBe(note.sha256);
        await media.release();
      };
      await inConversionWorld(exactly, { maxBytes: note.size });
      const tooLarge = async (again: ConversionWorld) => expectOriginal(again, await again.prepare(bytes, 'voice'), bytes);
      await inConversionWorld(tooLarge, { maxBytes: note.size - 1 });
    });
  });
});
