import { describe, expect, test } from 'vitest';
import { SoundMeter } from '../../src/media/conversion/waveform.ts';

/** Samples as a tool would write them. */
function pcm(samples: readonly number[]): Buffer {
  const bytes = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, index) => void bytes.writeInt16LE(sample, index * 2));
  return bytes;
}

function measure(bytes: Buffer, pieceBytes = bytes.length) {
  const meter = new SoundMeter();
  for (let from = 0; from < bytes.length; from += pieceBytes) meter.add(bytes.subarray(from, from + pieceBytes));
  return { samples: meter.samples, waveform: [...meter.waveform()] };
}

describe('a sound meter', () => {
  const rising = pcm(Array.from({ length: 100_000 }, (_, index) => (index % 2 === 0 ? 1 : -1) * Math.floor(index / 4)));

  test('shows how the loudness changes', () => {
    const { samples, waveform } = measure(rising);
    expect(samples).toBe(100_000);
    expect(waveform).toHaveLength(64);
    waveform.forEach((value, index) => void expect(Math.abs(value - ((index + 0.5) / 63.5) * 100)).toBeLessThan(3));
    expect(waveform.at(-1)).toBe(100);
  });

  test.each([1, 3, 1001, 65_536])('measures the same in pieces of %i bytes', (pieceBytes) => {
    expect(measure(rising, pieceBytes)).toEqual(measure(rising));
  });

  test('has 64 values of sound of any length', () => {
    for (const length of [1, 15, 16, 17, 700, 1024, 16_384, 16_400, 1_000_003]) {
      const { samples, waveform } = measure(pcm(Array.from({ length }, () => -500)));
      expect(samples).toBe(length);
      expect(waveform).toEqual(Array(64).fill(100));
    }
  });

  test('shows silence as nothing', () => {
    expect(measure(Buffer.alloc(10_000)).waveform).toEqual(Array(64).fill(0));
    expect(measure(Buffer.alloc(0)).waveform).toEqual(Array(64).fill(0));
  });
});
