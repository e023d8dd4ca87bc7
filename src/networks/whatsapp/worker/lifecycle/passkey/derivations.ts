import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { bytesToCrockford, proto } from 'baileys';

/*
 * The computations of linking with a passkey: WhatsApp Web's "shortcake" linking, as described by whatsmeow (pair-passkey.go). All are pure
 * functions; the order of the steps is in ceremony.ts.
 */

const keyBytes = 32;

/** The key that proves that this device showed the scanned code. Derived from the secret in that code. */
export function handoffKey(scannedSecret: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', scannedSecret, Buffer.alloc(0), 'shortcake-passkey-handoff-v1', keyBytes));
}

/** Proves possession of the handoff key: an HMAC over the prologue. */
export function handoffProof(key: Uint8Array, prologue: Uint8Array): Buffer {
  return createHmac('sha256', key).update(prologue).digest();
}

/** The device's first message: its key for the exchange and a commitment to a nonce that it reveals later. */
export function prologuePayload(identity: { publicKey: Uint8Array; deviceType: number; ref: string }, nonce: Uint8Array): Uint8Array {
  const companionEphemeralIdentity = proto.CompanionEphemeralIdentity.encode(identity).finish();
  const hash = createHash('sha256').update(companionEphemeralIdentity).update(nonce).digest();
  return proto.ProloguePayload.encode({ companionEphemeralIdentity, commitment: { hash } }).finish();
}

/** The code to compare, `XXXX-XXXX`. The phone shows the same one only if there is nobody between the two sides. */
export function confirmationCode(phone: { publicKey: Uint8Array; nonce: Uint8Array }, nonce: Uint8Array): string {
  const digest = createHash('sha256').update(nonce).update(phone.publicKey).digest();
  const code = bytesToCrockford(Buffer.from(phone.nonce.subarray(0, 5).map((byte, index) => byte ^ (digest[index] ?? 0))));
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The key that seals the device's data for the phone. Derived from the secret shared with the phone's key. */
export function pairingKey(shared: Uint8Array, { deviceType, ref }: { deviceType: number; ref: string }): Buffer {
  const salt = `Companion Pairing ${deviceType} with ref ${ref}`;
  return Buffer.from(hkdfSync('sha256', shared, salt, 'Pairing Information Encryption Key', keyBytes));
}

/** The data with which the phone links this device, sealed for the phone. `iv`: 12 bytes that were never used with this key before. */
export function sealedPairingRequest(
  key: Uint8Array,
  iv: Uint8Array,
  device: { noiseKey: Uint8Array; identityKey: Uint8Array; advSecret: Uint8Array },
): Uint8Array {
  const { noiseKey, identityKey, advSecret } = device;
  const plain = proto.PairingRequest.encode({ companionPublicKey: noiseKey, companionIdentityKey: identityKey, advSecret }).finish();
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const encryptedPayload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish();
}
