import { randomBytes } from 'node:crypto';
import { aesDecryptCTR, aesDecryptGCM, aesEncryptCTR, type BinaryNode, Curve, derivePairingCodeKey, hkdf, type KeyPair } from 'baileys';
import { requiredBytes } from './nodes.ts';

/** What a device uploads in order to be linked by an 8-character code. */
export interface CodeOffer {
  readonly ref: Buffer;
  /** Digits of the phone whose owner has to enter the code. */
  readonly number: string;
  /** The device's ephemeral public key, encrypted with the code. */
  readonly wrappedKey: Buffer;
}

/** The phone's side of the exchange, between its answer and the device's. */
export interface CodeExchange {
  readonly phone: KeyPair;
  readonly shared: Buffer;
  /** The phone's ephemeral public key, encrypted with the code that was entered. */
  readonly wrappedKey: Buffer;
}

const saltLength = 32;
const ivLength = 16;
const gcmIvLength = 12;

/** The phone answers an offer with the entered code. A wrong code is only noticed when the device's answer cannot be decrypted. */
export async function beginExchange(offer: CodeOffer, code: string, phone: KeyPair): Promise<CodeExchange> {
  const deviceKey = await unwrap(code, offer.wrappedKey);
  const ephemeral = Curve.generateKeyPair();
  return { phone, shared: Curve.sharedKey(ephemeral.private, deviceKey), wrappedKey: await wrap(code, ephemeral.public) };
}

/** Decrypts the device's answer. Returns the secret that seals its identity. Throws for a wrong code or another device. */
export function finishExchange(exchange: CodeExchange, answer: BinaryNode, deviceIdentity: Buffer): Buffer {
  const sealed = requiredBytes(answer, 'link_code_pairing_wrapped_key_bundle');
  const salt = sealed.subarray(0, saltLength);
  const iv = sealed.subarray(saltLength, saltLength + gcmIvLength);
  const key = hkdf(exchange.shared, 32, { salt, info: 'link_code_pairing_key_bundle_encryption_key' });
  const bundle = aesDecryptGCM(sealed.subarray(saltLength + gcmIvLength), key, iv, Buffer.alloc(0));
  if (!bundle.subarray(0, 32).equals(deviceIdentity)) throw new Error('the code was answered by another device');
  if (!bundle.subarray(32, 64).equals(exchange.phone.public)) throw new Error('the device answered another phone');
  const identityShared = Curve.sharedKey(exchange.phone.private, deviceIdentity);
  return Buffer.from(hkdf(Buffer.concat([exchange.shared, identityShared, bundle.subarray(64, 96)]), 32, { info: 'adv_secret' }));
}

async function unwrap(code: string, wrapped: Buffer): Promise<Buffer> {
  const key = await derivePairingCodeKey(code, wrapped.subarray(0, saltLength));
  return aesDecryptCTR(wrapped.subarray(saltLength + ivLength), key, wrapped.subarray(saltLength, saltLength + ivLength));
}

async function wrap(code: string, publicKey: Uint8Array): Promise<Buffer> {
  const salt = randomBytes(saltLength);
  const iv = randomBytes(ivLength);
  return Buffer.concat([salt, iv, aesEncryptCTR(publicKey, await derivePairingCodeKey(code, salt), iv)]);
}
