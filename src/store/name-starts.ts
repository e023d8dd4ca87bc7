/** What these names begin with, and each of their words, in lower case: any of them is found by the beginning that somebody types. */
export function nameStarts(names: readonly string[]): readonly string[] {
  const starts = names.flatMap((name) => {
    const lower = name.toLowerCase();
    return [lower, ...Array.from(lower.matchAll(/[\p{L}\p{N}]+/gu), ({ index }) => lower.slice(index))];
  });
  // The cut may halve a character. The database makes all halves the same one, which would make two names one.
  return [...new Set(starts.map((start) => start.slice(0, 100).toWellFormed()))];
}
