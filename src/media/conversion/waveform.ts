const values = 64;
/** More than the values asked for, so that the last merge does not show in them. */
const maxBuckets = values * 16;

/** Measures sound as it streams by, in flat memory however long it is. */
export class SoundMeter {
  /** The sums of absolute samples of equally long stretches. */
  #buckets: number[] = [];
  #samplesPerBucket = 16;
  #current = 0;
  #inCurrent = 0;
  #samples = 0;
  /** The first half of a sample whose second half is in the next chunk. */
  #halfSample: number | null = null;

  /** How many samples there were. */
  get samples(): number {
    return this.#samples;
  }

  /** Takes the next bytes of signed 16-bit little-endian mono samples, cut anywhere. */
  add(bytes: Buffer): void {
    let offset = 0;
    if (this.#halfSample !== null && bytes.length > 0) {
      this.#take((bytes.readInt8(0) << 8) | this.#halfSample);
      this.#halfSample = null;
      offset = 1;
    }
    const end = bytes.length - ((bytes.length - offset) % 2);
    for (; offset < end; offset += 2) this.#take(bytes.readInt16LE(offset));
    if (end < bytes.length) this.#halfSample = bytes.readUInt8(end);
  }

  /** The loudness over time: 64 values from 0 to 100, the loudest being 100. */
  waveform(): Uint8Array {
    // A last bucket that is not full yet counts when it is all there is.
    const sums = this.#buckets.length === 0 ? [this.#current] : this.#buckets;
    const means = Array.from({ length: values }, (_, index) => {
      const from = Math.floor((index * sums.length) / values);
      const until = Math.max(from + 1, Math.floor(((index + 1) * sums.length) / values));
      return sums.slice(from, until).reduce((sum, value) => sum + value, 0) / (until - from);
    });
    const loudest = Math.max(...means);
    return Uint8Array.from(means, (mean) => (loudest === 0 ? 0 : Math.round((mean / loudest) * 100)));
  }

  #take(sample: number): void {
    this.#current += sample < 0 ? -sample : sample;
    this.#samples += 1;
    this.#inCurrent += 1;
    if (this.#inCurrent < this.#samplesPerBucket) return;
    this.#buckets.push(this.#current);
    this.#current = 0;
    this.#inCurrent = 0;
    if (this.#buckets.length === maxBuckets) this.#halve();
  }

  /** Joins neighbours, so that as many buckets cover twice the time. */
  #halve(): void {
    const buckets = this.#buckets;
    this.#buckets = Array.from({ length: maxBuckets / 2 }, (_, index) => (buckets[2 * index] ?? 0) + (buckets[2 * index + 1] ?? 0));
    this.#samplesPerBucket *= 2;
  }
}
