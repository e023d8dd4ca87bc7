// Imports nothing: the portal's pages use it too.

/** Whether this can be an Idempotency-Key. */
export function isIdempotencyKey(text: string): boolean {
  return /^[A-Za-z0-9._:~-]{8,255}$/.test(text);
}
