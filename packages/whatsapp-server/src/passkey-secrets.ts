import { createDecipheriv, createHash, createHmac } from 'node:crypto';

/*
 * The network's and the phone's side of the computations of linking with a passkey. Written from the description of the protocol and not from the
 * driver's code, so that a mistake there is noticed here.
 */

/** RFC 5869 with SHA-256; one block is always enough. */
function hkdf32(secret: Uint8Array, salt: Uint8Array, info: string): Buffer {
  const extracted = createHmac('sha256', salt).update(secret).digest();
  return createHmac('sha256', extracted)
    .update(Buffer.concat([Buffer.from(info), Buffer.of(1)]))
    .digest();
}

/** The proof over the prologue, made with the secret from the scanned code. */
export function expectedProof(scannedSecret: Uint8Array, prologue: Uint8Array): Buffer {
  const key = hkdf32(scannedSecret, Buffer.alloc(32), 'shortcake-passkey-handoff-v1');
  return createHmac('sha256', key).update(prologue).digest();
}

export function commitmentTo(identity: Uint8Array, nonce: Uint8Array): Buffer {
  return createHash('sha256')
    .update(Buffer.concat([identity, nonce]))
    .digest();
}

const alphabet = '123456789ABCDEFGHJKLMNPQRSTVWXYZ';

/** The code that the phone shows for comparison. */
export function shownCode(phoneNonce: Uint8Array, phoneKey: Uint8Array, companionNonce: Uint8Array): string {
  const digest = createHash('sha256')
    .update(Buffer.concat([companionNonce, phoneKey]))
    .digest();
  let bits = 0n;
  for (let index = 0; index < 5; index++) bits = (bits << 8n) | BigInt((phoneNonce[index] ?? 0) ^ (digest[index] ?? 0));
  let code = '';
  for (let place = 35n; place >= 0n; place -= 5n) code += alphabet[Number((bits >> place) & 31n)];
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** Decrypts what the device sealed for the phone. Throws when the key or any bit is wrong. */
export function openPairingRequest(shared: Uint8Array, salt: string, sealed: Uint8Array, iv: Uint8Array): Buffer {
  const key = hkdf32(shared, Buffer.from(salt), 'Pairing Information Encryption Key');
  const body = Buffer.from(sealed);
  const opening = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAuthTag(body.subarray(-16));
  return Buffer.concat([opening.update(body.subarray(0, -16)), opening.final()]);
}
