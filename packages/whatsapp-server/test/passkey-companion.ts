import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { proto } from 'baileys';

/*
 * The device's side of linking with a passkey, as a correct client computes it. It shares no code with the phone's side (src/passkey-secrets.ts),
 * so that a mistake in either is noticed.
 */

function derived(secret: Uint8Array, salt: string, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, 32));
}

/** The prologue: the device's key for the exchange, and a commitment to a nonce that it reveals later. */
export function prologueOf(identity: { publicKey: Uint8Array; deviceType: number; ref: string }, nonce: Uint8Array): Uint8Array {
  const companionEphemeralIdentity = proto.CompanionEphemeralIdentity.encode(identity).finish();
  const hash = createHash('sha256').update(companionEphemeralIdentity).update(nonce).digest();
  return proto.ProloguePayload.encode({ companionEphemeralIdentity, commitment: { hash } }).finish();
}

/** Proves that the device showed the scanned code. */
export function proofOf(scannedSecret: Uint8Array, prologue: Uint8Array): Buffer {
  return createHmac('sha256', derived(scannedSecret, '', 'shortcake-passkey-handoff-v1'))
    .update(prologue)
    .digest();
}

/** The key that seals the device's data for the phone. */
export function sealingKey(shared: Uint8Array, deviceType: number, ref: string): Buffer {
  return derived(shared, `Companion Pairing ${deviceType} with ref ${ref}`, 'Pairing Information Encryption Key');
}

/** The device's data, sealed for the phone. `iv`: 12 bytes. */
export function sealed(key: Uint8Array, iv: Uint8Array, device: proto.IPairingRequest): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const encryptedPayload = Buffer.concat([
    cipher.update(proto.PairingRequest.encode(device).finish()),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  return proto.EncryptedPairingRequest.encode({ encryptedPayload, iv }).finish();
}
