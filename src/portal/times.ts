/** A stored time (epoch milliseconds) as the portal answers it. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** The same for a time that may be none. */
export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
