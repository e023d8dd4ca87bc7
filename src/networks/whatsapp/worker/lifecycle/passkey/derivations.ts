import { createCipheriv, createHash, createHmac, hkdfSync } from 'node:crypto';
import { bytesToCrockford, proto } from 'baileys';

/*
 * What is computed while a device is linked with a passkey: WhatsApp Web's "shortcake" linking, as written down in whatsmeow (pair-passkey.go).
 * Functions of their arguments alone; who says what when is in ceremony.ts.
 */

const keyBytes = 32;

/** The key that proves that this device showed the code which the phone scanned. From the secret that was in that code. */
export function handoffKey(scannedSecret: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', scannedSecret, Buffer.alloc(0), 'shortcake-passkey-handoff-v1', keyBytes));
}

/** Proves the possession of the handoff key over the prologue. */
export function handoffProof(key: Uint8Array, prologue: Uint8Array): Buffer {
  return createHmac('sha256', key).update(prologue).digest();
}

/** What this device sends first: its key for the exchange, and a commitment to a nonce that it tells later. */
export function prologuePayload(identity: { publicKey: Uint8Array; deviceType: number; ref: string }, nonce: Uint8Array): Uint8Array {
  const companionEphemeralIdentity = proto.CompanionEphemeralIdentity.encode(identity).finish();
  const hash = createHash('sha256').update(companionEphemeralIdentity).update(nonce).digest();
  return proto.ProloguePayload.encode({ companionEphemeralIdentity, commitment: { hash } }).finish();
}

/** The code that the phone shows too when both sides talk to each other and to nobody between them: `XXXX-XXXX`. */
export function confirmationCode(phone: { publicKey: Uint8Array; nonce: Uint8Array }, nonce: Uint8Array): string {
  const digest = createHash('sha256').update(nonce).update(phone.publicKey).digest();
  const code = bytesToCrockford(Buffer.from(phone.nonce.subarray(0, 5).map((byte, index) => byte ^ (digest[index] ?? 0))));
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** The key that seals what the phone needs to link this device, from the secret shared with its key. */
export function pairingKey(shared: Uint8Array, { deviceType, ref }: { deviceType: number; ref: string }): Buffer {
  const salt = `Companion Pairing ${deviceType} with ref ${ref}`;
  return Buffer.from(hkdfSync('sha256', shared, salt, 'Pairing Information Encryption Key', keyBytes));
}

/** What the phone needs to link this device, sealed for it. `iv`: 12 bytes, never used before with this key. */
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
