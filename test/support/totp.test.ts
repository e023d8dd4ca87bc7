import { expect, it } from 'vitest';
import { totpCode, wrongCode } from './totp.ts';

const uri = 'otpauth://totp/test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

// RFC 6238, appendix B, its last six digits.
it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [20_000_000_000, '353130'],
])('shows what the standard says at %i s', (seconds, code) => {
  expect(totpCode(uri, seconds * 1000)).toBe(code);
});

it('finds a code that is wrong', () => {
  expect(wrongCode(uri)).toMatch(/^\d{6}$/);
  expect(wrongCode(uri)).not.toBe(totpCode(uri));
});
