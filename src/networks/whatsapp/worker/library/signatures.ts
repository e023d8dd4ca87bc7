import { createPublicKey, verify } from 'node:crypto';

const prime = 2n ** 255n - 19n;
const signBit = 128;

/**
 * Whether the owner of this Curve25519 public key signed the message (XEdDSA, the signatures of the Signal protocol), checked with Node's Ed25519. It
 * replaces Baileys' own check, which accepts every signature and takes 8 ms in JavaScript, twice per login.
 */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const plain = Buffer.from(signature);
  const point = edwardsOf(publicKey);
  // A Curve25519 key stands for two Edwards points. A spare bit of the signature says which one.
  point.writeUInt8(point.readUInt8(31) | (plain.readUInt8(63) & signBit), 31);
  plain.writeUInt8(plain.readUInt8(63) & ~signBit, 63);
  return verify(null, message, createPublicKey({ key: point, format: 'raw-public', asymmetricKeyType: 'ed25519' }), plain);
}

/** y = (u − 1) / (u + 1): the Edwards form of a Montgomery point, without the sign. */
export function edwardsOf(montgomery: Uint8Array): Buffer {
  const u = BigInt(`0x${Buffer.from(montgomery).reverse().toString('hex')}`) % prime;
  const y = ((u - 1n + prime) * inverse(u + 1n)) % prime;
  return Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** The extended Euclidean algorithm; 0 for 0. */
function inverse(value: bigint): bigint {
  let [low, high, lowFactor, highFactor] = [value % prime, prime, 1n, 0n];
  while (low > 1n) {
    const ratio = high / low;
    [high, low] = [low, high - low * ratio];
    [highFactor, lowFactor] = [lowFactor, highFactor - lowFactor * ratio];
  }
  return low === 0n ? 0n : ((lowFactor % prime) + prime) % prime;
}
