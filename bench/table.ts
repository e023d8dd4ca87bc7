/** The number in the middle; of an even count the upper one. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** Prints a row of a Markdown table. */
export function line(...cells: string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}
