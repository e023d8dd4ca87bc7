/** Digits as people write a number: with a plus. */
export function shownNumber(digits: string): string;
export function shownNumber(digits: string | null): string | null;
export function shownNumber(digits: string | null): string | null {
  return digits === null ? null : `+${digits}`;
}
