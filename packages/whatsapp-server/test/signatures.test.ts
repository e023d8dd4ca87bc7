import { Curve } from 'baileys';
import { expect, it } from 'vitest';
import { createSigningKeyPair, isSignedBy } from '../src/fast-signatures.ts';

const message = Buffer.from('what is signed');

it('signs so that the library accepts it, and accepts what the library signs', () => {
  for (let round = 0; round < 8; round++) {
    const own = createSigningKeyPair();
    expect(Curve.verify(own.keyPair.public, message, own.sign(message))).toBe(true);
    const theirs = Curve.generateKeyPair();
    expect(isSignedBy(theirs.public, message, Curve.sign(theirs.private, message))).toBe(true);
  }
});

it('refuses a changed message, a changed signature, another key and wrong lengths', () => {
  const own = createSigningKeyPair();
  const signature = own.sign(message);
  const changed = Buffer.from(signature);
  changed.writeUInt8(changed.readUInt8(5) ^ 1, 5);
  expect(isSignedBy(own.keyPair.public, message, signature)).toBe(true);
  expect(isSignedBy(own.keyPair.public, Buffer.from('something else'), signature)).toBe(false);
  expect(isSignedBy(own.keyPair.public, message, changed)).toBe(false);
  expect(isSignedBy(createSigningKeyPair().keyPair.public, message, signature)).toBe(false);
  expect(isSignedBy(own.keyPair.public, message, signature.subarray(1))).toBe(false);
});

it('agrees on secrets with the library', () => {
  const own = createSigningKeyPair().keyPair;
  const theirs = Curve.generateKeyPair();
  expect(Curve.sharedKey(own.private, theirs.public)).toEqual(Curve.sharedKey(theirs.private, own.public));
});
