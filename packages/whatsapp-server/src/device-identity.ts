import { hmacSign, proto, WA_ADV_ACCOUNT_SIG_PREFIX, WA_ADV_DEVICE_SIG_PREFIX } from 'baileys';
import { isSignedBy, type SigningKeyPair } from './fast-signatures.ts';

/** The phone's statement that a device belongs to its account, not yet countersigned by the device. */
export interface IssuedIdentity {
  /** Content of `<device-identity>` in pair-success. */
  readonly sealed: Uint8Array;
  readonly details: Uint8Array;
  readonly accountKey: Uint8Array;
  readonly accountSignature: Uint8Array;
}

/** Issues a statement, signed by the phone's identity key and sealed with the secret from the QR code (or the one agreed on with a pairing code). */
export function issueDeviceIdentity(
  phone: SigningKeyPair,
  companionIdentity: Uint8Array,
  advSecret: Uint8Array,
  keyIndex: number,
): IssuedIdentity {
  const timestamp = Math.floor(Date.now() / 1000);
  const details = proto.ADVDeviceIdentity.encode({ rawId: 1, timestamp, keyIndex }).finish();
  const accountSignature = phone.sign(Buffer.concat([WA_ADV_ACCOUNT_SIG_PREFIX, details, companionIdentity]));
  const signed = proto.ADVSignedDeviceIdentity.encode({ details, accountSignatureKey: phone.keyPair.public, accountSignature }).finish();
  const sealed = proto.ADVSignedDeviceIdentityHMAC.encode({ details: signed, hmac: hmacSign(signed, advSecret) }).finish();
  return { sealed, details, accountKey: phone.keyPair.public, accountSignature };
}

/**
 * Checks the device's countersignature in its answer to pair-success. Returns the complete identity, which the device must send with its first
 * message in a Signal session. Throws when anything is wrong.
 */
export function completeDeviceIdentity(issued: IssuedIdentity, companionIdentity: Uint8Array, answer: Uint8Array): Buffer {
  const { details, accountSignature, deviceSignature } = proto.ADVSignedDeviceIdentity.decode(answer);
  if (!same(details, issued.details) || !same(accountSignature, issued.accountSignature)) throw new Error('device identity was altered');
  const message = Buffer.concat([WA_ADV_DEVICE_SIG_PREFIX, issued.details, companionIdentity, issued.accountKey]);
  if (!deviceSignature || !isSignedBy(companionIdentity, message, deviceSignature)) throw new Error('bad device signature');
  return Buffer.from(
    proto.ADVSignedDeviceIdentity.encode({
      details: issued.details,
      accountSignatureKey: issued.accountKey,
      accountSignature: issued.accountSignature,
      deviceSignature,
    }).finish(),
  );
}

function same(one: Uint8Array | null | undefined, other: Uint8Array): boolean {
  return one instanceof Uint8Array && Buffer.compare(one, other) === 0;
}
