import { createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVault, firstKeys, type Keys } from '../../src/core/index.ts';

const key = randomBytes(32);
const vault = createVault(key);

test('property: what is sealed opens again under the same key and context, and no other', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), fc.string(), (plain, context, other) => {
      const sealed = vault.seal(plain, context);
      expect(new Uint8Array(createVault(key).open(sealed, context))).toEqual(plain);
      if (other !== context) expect(() => vault.open(sealed, other)).toThrow();
      expect(() => createVault(randomBytes(32)).open(sealed, context)).toThrow();
    }),
  );
});

test('every changed bit and every cut is noticed', () => {
  const sealed = vault.seal(Buffer.from('secret'), 'context');
  for (let bit = 0; bit < sealed.length * 8; bit++) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => vault.open(changed, 'context')).toThrow();
  }
  for (let length = 0; length < sealed.length; length++) expect(() => vault.open(sealed.subarray(0, length), 'context')).toThrow();
});

test('a tag cut to four bytes is not taken, although it fits', () => {
  const sealed = vault.seal(Buffer.alloc(0), 'context');
  expect(() => vault.open(sealed.subarray(0, 1 + 12 + 4), 'context')).toThrow();
});

test('the same text is never sealed to the same bytes, nor visible in them', () => {
  const plain = Buffer.from('a text that would be seen');
  const first = vault.seal(plain, 'context');
  expect(first.equals(vault.seal(plain, 'context'))).toBe(false);
  expect(first.includes(plain)).toBe(false);
});

test('the seed of a message id is SHA3-256 under a key of its own', () => {
  const seedKey = Buffer.from(hkdfSync('sha256', key, '', 'messaging-gateway message seed', 32)).toString('base64');
  const expected = createHash('sha3-256').update(seedKey).update('a text').digest('hex');
  expect(vault.messageSeed('a text')).toBe(expected);
  expect(vault.messageSeed('a  text')).not.toBe(expected);
  expect(createVault(randomBytes(32)).messageSeed('a text')).not.toBe(expected);
});

test('derived bytes are HMAC-SHA-256 under a key of their own, and keep the parts apart', () => {
  const derivationKey = Buffer.from(hkdfSync('sha256', key, '', 'messaging-gateway derivation', 32));
  const expected = createHmac('sha256', derivationKey).update('["purpose","a","bc"]').digest();
  expect(vault.derive('purpose', 'a', 'bc')).toEqual(expected);
  expect(vault.derive('purpose', 'ab', 'c')).not.toEqual(expected);
  expect(vault.derive('other', 'a', 'bc')).not.toEqual(expected);
  expect(createVault(randomBytes(32)).derive('purpose', 'a', 'bc')).not.toEqual(expected);
});

test('a new key seals, the earlier ones open what they have sealed, and what is derived stays', async () => {
  const known: Keys[] = [];
  const [second, third] = [randomBytes(32), randomBytes(32)];
  const replaced: Keys = { root: key, sealing: new Map([...firstKeys(key).sealing, [2, second]]), current: 2 };
  const following = createVault(key, async () => known.at(-1) ?? null);
  const old = following.seal(Buffer.from('old'), 'context');
  const newer = createVault(replaced).seal(Buffer.from('new'), 'context');
  expect(newer[0]).toBe(2);
  await following.ready([old, newer]);
  expect(() => following.open(newer, 'context')).toThrow('unknown key version 2');
  expect(following.replacements('purpose')).toEqual([]);

  known.push(replaced);
  await following.ready([old]);
  expect(following.current).toBe(1);
  await following.ready([old, newer]);
  expect([following.current, following.seal(Buffer.alloc(0), 'context')[0]]).toEqual([2, 2]);
  expect([old, newer].map((sealed) => following.open(sealed, 'context').toString())).toEqual(['old', 'new']);
  expect(following.derive('purpose')).toEqual(vault.derive('purpose'));
  expect(following.messageSeed('a text')).toBe(vault.messageSeed('a text'));

  known.push({ ...replaced, sealing: new Map([...replaced.sealing, [3, third]]), current: 3 });
  await following.refresh();
  known.push(firstKeys(key));
  await following.refresh();
  expect(following.current).toBe(3);
  const secrets = following.replacements('purpose');
  expect(secrets.map(({ number }) => number)).toEqual([3, 2]);
  expect(secrets.map(({ secret }) => secret)).toEqual([createVault(third).derive('purpose'), createVault(second).derive('purpose')]);
});
