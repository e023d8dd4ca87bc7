import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUIDv7 (RFC 9562): unique, and sorted by the time it was made. */
export function newId(): string {
  return randomUUIDv7();
}

/** True for any UUID in its usual spelling, whatever its version or letter case. */
export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

/** An id as it is stored: UUIDs are stored in lower case, and typed or pasted in any. */
export function storedId(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id;
}

/** A new API key: `mgw_` + 8 characters that may be shown + `_` + secret (decisions §9). Only `hash` is stored. */
export function newApiKey(): { key: string; prefix: string; hash: string } {
  const prefix = `mgw_${randomText(8)}`;
  const key = `${prefix}_${randomText(40)}`;
  return { key, prefix, hash: hashApiKey(key) };
}

/** SHA-256 of an API key, base64. The secret has 200 random bits, so a slow hash would add nothing. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'base64');
}

// 32 letters and digits, so that each random byte maps to one without bias and no character is easily misread.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';

function randomText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += alphabet[byte % alphabet.length];
  return text;
}
