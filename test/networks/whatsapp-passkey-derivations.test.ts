import { randomBytes } from 'node:crypto';
import { Curve, proto } from 'baileys';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commitmentTo, expectedProof, openPairingRequest, shownCode } from 'whatsapp-test-server';
import {
  confirmationCode,
  handoffKey,
  handoffProof,
  pairingKey,
  prologuePayload,
  sealedPairingRequest,
} from '../../src/networks/whatsapp/worker/lifecycle/passkey/derivations.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const counting = (length: number, from = 0) => Buffer.from(Array.from({ length }, (_, index) => (from + index) % 256));
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex');

test('the proof of the scanned code is what the phone computes', () => {
  fc.assert(
    fc.property(bytes(32), fc.uint8Array({ maxLength: 200 }), (secret, prologue) => {
      expect(hex(handoffProof(handoffKey(secret), prologue))).toBe(hex(expectedProof(secret, prologue)));
    }),
  );
});

test('both sides show the same code', () => {
  fc.assert(
    fc.property(bytes(32), bytes(32), bytes(32), (publicKey, nonce, own) => {
      expect(confirmationCode({ publicKey, nonce }, own)).toBe(shownCode(nonce, publicKey, own));
    }),
  );
});

test('the prologue holds the identity and the commitment to the nonce', () => {
  const nonce = counting(32, 7);
  const prologue = proto.ProloguePayload.decode(prologuePayload({ publicKey: counting(32), deviceType: 1, ref: 'a ref' }, nonce));
  const identity = prologue.companionEphemeralIdentity ?? Buffer.of();
  // Field 1 of 32 bytes, field 2 a varint, field 3 of 5 bytes: the order in which the network hashes it.
  expect(hex(identity)).toBe(`0a20${hex(counting(32))}10011a05${Buffer.from('a ref').toString('hex')}`);
  expect(hex(prologue.commitment?.hash ?? Buffer.of())).toBe(hex(commitmentTo(identity, nonce)));
});

test('the phone opens what was sealed for it, and nothing that was changed', () => {
  const [device, phone] = [Curve.generateKeyPair(), Curve.generateKeyPair()];
  const given = { noiseKey: randomBytes(32), identityKey: randomBytes(32), advSecret: randomBytes(32) };
  const key = pairingKey(Curve.sharedKey(device.private, phone.public), { deviceType: 1, ref: 'a ref' });
  const sealed = proto.EncryptedPairingRequest.decode(sealedPairingRequest(key, randomBytes(12), given));
  const [payload, iv] = [sealed.encryptedPayload ?? Buffer.of(), sealed.iv ?? Buffer.of()];
  const shared = Curve.sharedKey(phone.private, device.public);
  const opened = proto.PairingRequest.decode(openPairingRequest(shared, 'Companion Pairing 1 with ref a ref', payload, iv));
  expect(hex(opened.companionPublicKey ?? Buffer.of())).toBe(hex(given.noiseKey));
  expect(hex(opened.companionIdentityKey ?? Buffer.of())).toBe(hex(given.identityKey));
  expect(hex(opened.advSecret ?? Buffer.of())).toBe(hex(given.advSecret));
  expect(() => openPairingRequest(shared, 'Companion Pairing 2 with ref a ref', payload, iv)).toThrow();
  const changed = Buffer.from(payload).fill(0, 0, 1);
  expect(() => openPairingRequest(shared, 'Companion Pairing 1 with ref a ref', changed, iv)).toThrow();
});

test('values that were computed in Python from the description alone', () => {
  const proof = handoffProof(handoffKey(counting(32)), counting(40));
  const code = confirmationCode({ publicKey: counting(32, 1), nonce: counting(32, 2) }, counting(32, 3));
  const key = pairingKey(counting(32, 4), { deviceType: 1, ref: '3@abc' });
  expect([hex(proof), code, hex(key)]).toEqual([
    'b7fb506675d762cae2b000b5817d38f6f0ffad978b20b44ba1ecd43750916054',
    'WHHG-XR8Y',
    '05640924b65a93b68e37cc9cb3a8fa32486d83504e8d3010dd877d38e3dbd4b3',
  ]);
});
