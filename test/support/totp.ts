import { createHmac } from 'node:crypto';

const stepMs = 30_000;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app shows for an otpauth:// address at this time (RFC 6238: SHA-1, six digits, 30 seconds). */
export function totpCode(uri: string, now = Date.now()): string {
  const secret = new URL(uri).searchParams.get('secret');
  if (secret === null) throw new Error('the address holds no secret');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / stepMs)));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

/**
 * An authenticator app for an otpauth:// address. Each code is good once, so each call gives the next one that is accepted: that of now, that
 * of the 30 seconds to come, then no other until they have come.
 */
export function authenticator(uri: string): () => string {
  let given = 0;
  return () => {
    const now = Math.floor(Date.now() / stepMs);
    given = Math.max(given + 1, now);
    if (given > now + 1) throw new Error('every code that is accepted now was used');
    return totpCode(uri, given * stepMs);
  };
}

/** A code that is not right now, and was not and will not be a step away. */
export function wrongCode(uri: string): string {
  const near = [-1, 0, 1].map((steps) => totpCode(uri, Date.now() + steps * stepMs));
  return ['000000', '111111', '222222', '333333'].find((code) => !near.includes(code)) ?? '444444';
}

/** What base32 text (RFC 4648) stands for. */
export function fromBase32(text: string): Buffer {
  const bits = [...text.replace(/=+$/, '')].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
}
