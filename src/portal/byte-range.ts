/** Bytes from `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The part of `size` bytes that a Range header asks for; null: all of it, also for several ranges and for a header that is not a range
 * (RFC 9110 §14.2). Players ask for ranges, and some play nothing without them.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === '' && to === '') return null;
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return null;
  return first > last ? 'unsatisfiable' : { first, last };
}
