/** What a field shows when its stored text changes: the new one, unless something else was written in it. */
export function takenOver(written: string, before: string, now: string): string {
  return before !== now && written.trim() === before ? now : written;
}
