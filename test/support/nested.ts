/** JSON of lists within each other, so many levels, around what is innermost. */
export function nested(levels: number, innermost = ''): string {
  return '['.repeat(levels) + innermost + ']'.repeat(levels);
}

const manyBadStrings = Array(12_000).fill('"\\u0000"').join();

/** Nesting that fits into a body and is too much for a program that follows it level by level. */
export const hostileNesting: readonly [string, string][] = [
  ['60,000 levels', nested(60_000)],
  ['12,000 strings that are no text below 3,000 levels', nested(3_000, manyBadStrings)],
  ['12,000 strings that are no text below 90 levels', nested(90, manyBadStrings)],
];
