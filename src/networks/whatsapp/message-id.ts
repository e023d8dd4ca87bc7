const minimumEntropyBytes = 16;
const idBytes = 9;

/**
 * A message id as WhatsApp's web client makes them: `3EB0` and 18 hex digits. The same bytes give the same id.
 * Throws RangeError for fewer than 16 bytes.
 */
export function messageIdOf(entropy: Uint8Array): string {
  if (entropy.length < minimumEntropyBytes) throw new RangeError(`a message id needs at least ${minimumEntropyBytes} bytes`);
  return `3EB0${Buffer.from(entropy.subarray(0, idBytes)).toString('hex').toUpperCase()}`;
}
