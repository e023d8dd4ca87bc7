/**
 * How keys are noted. The log is gone through in runs of some thousand requests; each run leaves one row per bucket, with an entry of eight bytes
 * for every key of that bucket and segment that has it: 32 bits of the key's hash, and how far behind the run's first segment it is. A row per key
 * would cost more than the send that it tells of. Looking for a key reads one row of every run, which lie beside each other.
 */
export const buckets = 256;
/** More than any log has segments. */
const idsPerBucket = 2 ** 44;
const entryBytes = 8;
/** A key that more segments of a run have is noted once, and all of them are looked at. */
const mostSegmentsOfKey = 32;
const often = 0xffff_ffff;

/** The id of the row of a bucket of the run that begins with this segment. */
export const rowId = (bucket: number, firstSegment: number): number => bucket * idsPerBucket + firstSegment;
/** The first segment of the run that a row belongs to. */
export const firstSegmentOf = (id: number): number => id % idsPerBucket;

/** FNV-1a: a few nanoseconds, and even enough. */
export function hashOf(key: string): number {
  let hash = 0x811c_9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x0100_0193);
  return hash >>> 0;
}

export const bucketOf = (hash: number): number => hash % buckets;

/** Gathers the entries of one run. */
export class Entries {
  /** The segments with a key, by the key's hash: in the order in which they were added, each once. */
  readonly #segments = new Map<number, number[]>();

  /** Segments come in the order of their ids. */
  add(key: string, segment: number): void {
    const hash = hashOf(key);
    const known = this.#segments.get(hash);
    if (known === undefined) this.#segments.set(hash, [segment]);
    else if (known.length <= mostSegmentsOfKey && known.at(-1) !== segment) known.push(segment);
  }

  /** The bytes of each bucket that has any. */
  rows(firstSegment: number): { readonly bucket: number; readonly entries: Buffer }[] {
    const noted: number[][] = Array.from({ length: buckets }, () => []);
    for (const [hash, segments] of this.#segments) {
      const offsets = segments.length > mostSegmentsOfKey ? [often] : segments.map((segment) => segment - firstSegment);
      for (const offset of offsets) noted[bucketOf(hash)]?.push(hash, offset);
    }
    return noted.flatMap((words, bucket) => {
      if (words.length === 0) return [];
      const entries = Buffer.allocUnsafe(words.length * 4);
      for (const [place, word] of words.entries()) entries.writeUInt32LE(word, place * 4);
      return [{ bucket, entries }];
    });
  }
}

/** The segments of a run that are noted under this hash, newest first; `all` when they are too many to be noted one by one. */
export function segmentsIn(entries: Buffer, hash: number, firstSegment: number): readonly number[] | 'all' {
  const found: number[] = [];
  for (let place = 0; place + entryBytes <= entries.length; place += entryBytes) {
    if (entries.readUInt32LE(place) !== hash) continue;
    const offset = entries.readUInt32LE(place + 4);
    if (offset === often) return 'all';
    found.push(firstSegment + offset);
  }
  return found.reverse();
}
