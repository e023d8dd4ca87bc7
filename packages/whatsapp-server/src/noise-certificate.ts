import { type KeyPair, proto, WA_CERT_DETAILS } from 'baileys';
import { createSigningKeyPair, type SigningKeyPair } from './fast-signatures.ts';

/** How the server proves its identity in the Noise handshake. */
export interface NoiseIdentity {
  readonly keyPair: KeyPair;
  /** The encoded chain: the leaf (the server's key) is signed by the intermediate, which is signed by the root. */
  readonly certificateChain: Uint8Array;
  /** Hex of the public key that clients must trust. */
  readonly rootKey: string;
}

export function createNoiseIdentity(): NoiseIdentity {
  const root = createSigningKeyPair();
  const intermediate = createSigningKeyPair();
  const { keyPair } = createSigningKeyPair();
  const certificateChain = proto.CertChain.encode({
    intermediate: certificate({ serial: 1, issuerSerial: WA_CERT_DETAILS.SERIAL, key: intermediate.keyPair.public }, root),
    leaf: certificate({ serial: 2, issuerSerial: 1, key: keyPair.public }, intermediate),
  }).finish();
  return { keyPair, certificateChain, rootKey: Buffer.from(root.keyPair.public).toString('hex') };
}

function certificate(
  of: { serial: number; issuerSerial: number; key: Uint8Array },
  issuer: SigningKeyPair,
): proto.CertChain.INoiseCertificate {
  const now = Math.floor(Date.now() / 1000);
  const details = proto.CertChain.NoiseCertificate.Details.encode({ ...of, notBefore: now - 86_400, notAfter: now + 30 * 86_400 }).finish();
  return { details, signature: issuer.sign(details) };
}
