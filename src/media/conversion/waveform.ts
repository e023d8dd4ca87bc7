/** Measures sound as it streams by, in flat memory however long it is. */
export interface SoundMeter {
  /** Takes the next bytes of signed 16-bit little-endian mono samples, cut anywhere. */
  add(bytes: Buffer): void;
  /** How many samples there were. */
  samples(): number;
  /** The loudness over time: 64 values from 0 to 100, the loudest being 100. */
  waveform(): Uint8Array;
}

const values = 64;
/** More than the values asked for, so that the last merge does not show in them. */
const maxBuckets = values * 16;

export function createSoundMeter(): SoundMeter {
  /** The sums of absolute samples of equally long stretches. */
  let buckets: number[] = [];
  let samplesPerBucket = 16;
  let current = 0;
  let inCurrent = 0;
  let total = 0;
  /** The first half of a sample whose second half is in the next chunk. */
  let halfSample: number | null = null;

  function take(sample: number): void {
    current += sample < 0 ? -sample : sample;
    total += 1;
    inCurrent += 1;
    if (inCurrent < samplesPerBucket) return;
    buckets.push(current);
    current = 0;
    inCurrent = 0;
    if (buckets.length === maxBuckets) halve();
  }

  /** Joins neighbours, so that as many buckets cover twice the time. */
  function halve(): void {
    buckets = Array.from({ length: maxBuckets / 2 }, (_, index) => (buckets[2 * index] ?? 0) + (buckets[2 * index + 1] ?? 0));
    samplesPerBucket *= 2;
  }

  return {
    add(bytes) {
      let offset = 0;
      if (halfSample !== null && bytes.length > 0) {
        take(((bytes.readInt8(0) << 8) | halfSample) as number);
        halfSample = null;
        offset = 1;
      }
      const end = bytes.length - ((bytes.length - offset) % 2);
      for (; offset < end; offset += 2) take(bytes.readInt16LE(offset));
      if (end < bytes.length) halfSample = bytes.readUInt8(end);
    },
    samples: () => total,
    waveform() {
      // A last bucket that is not full yet counts when it is all there is.
      const sums = buckets.length === 0 ? [current] : buckets;
      const means = Array.from({ length: values }, (_, index) => {
        const from = Math.floor((index * sums.length) / values);
        const until = Math.max(from + 1, Math.floor(((index + 1) * sums.length) / values));
        return sums.slice(from, until).reduce((sum, value) => sum + value, 0) / (until - from);
      });
      const loudest = Math.max(...means);
      return Uint8Array.from(means, (mean) => (loudest === 0 ? 0 : Math.round((mean / loudest) * 100)));
    },
  };
}
