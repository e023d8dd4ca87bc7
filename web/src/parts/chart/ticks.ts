/** Round numbers from 0 to the largest value or just above it, about four of them; whole ones, because things are counted. */
export function ticksOf(largest: number): readonly number[] {
  const rough = Math.max(1, largest / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((one) => one * power >= rough) ?? 10);
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, place) => place * step);
}
