const leastDigits = 32;
const idDigits = 18;

/**
 * A message id as WhatsApp's web client makes them: `3EB0` and 18 hex digits. The same digits give the same id.
 * Throws RangeError for fewer than 32 digits.
 */
export function messageIdOf(entropy: string): string {
  if (entropy.length < leastDigits) throw new RangeError(`a message id needs at least ${leastDigits} hexadecimal digits`);
  return `3EB0${entropy.slice(0, idDigits).toUpperCase()}`;
}
