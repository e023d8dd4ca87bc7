import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import type { KeyPair } from 'baileys';

/**
 * Signal's signatures (XEdDSA over Curve25519 keys) with Node's own Ed25519, about a hundred times faster than in JavaScript, so that a thousand
 * numbers can be linked in seconds. Keys are made from an Ed25519 seed, so that both forms of the key are known.
 */
export interface SigningKeyPair {
  /** For key agreement, as Curve25519 keys of 32 bytes. */
  readonly keyPair: KeyPair;
  /** A signature of 64 bytes, verifiable with the public key of the pair. */
  sign(message: Uint8Array): Buffer;
}

const prime = 2n ** 255n - 19n;
const x25519Prefix = Buffer.from('302e020100300506032b656e04220420', 'hex');
const ed25519Prefix = Buffer.from('302a300506032b6570032100', 'hex');

export function createSigningKeyPair(): SigningKeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const scalar = createHash('sha512').update(seed).digest().subarray(0, 32);
  scalar.writeUInt8(scalar.readUInt8(0) & 248, 0);
  scalar.writeUInt8((scalar.readUInt8(31) & 127) | 64, 31);
  const agreement = createPrivateKey({ key: Buffer.concat([x25519Prefix, scalar]), format: 'der', type: 'pkcs8' });
  return {
    keyPair: { private: scalar, public: rawPublicKey(createPublicKey(agreement)) },
    sign: (message) => {
      const signature = sign(null, message, privateKey);
      // A Curve25519 key stands for two Edwards points. A spare bit of the signature says which one.
      signature.writeUInt8(signature.readUInt8(63) | (rawPublicKey(publicKey).readUInt8(31) & 128), 63);
      return signature;
    },
  };
}

/** Whether the owner of this Curve25519 public key signed the message. */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const plain = Buffer.from(signature);
  const point = edwardsOf(publicKey);
  point.writeUInt8(point.readUInt8(31) | (plain.readUInt8(63) & 128), 31);
  plain.writeUInt8(plain.readUInt8(63) & 127, 63);
  const key = createPublicKey({ key: Buffer.concat([ed25519Prefix, point]), format: 'der', type: 'spki' });
  return verify(null, message, key, plain);
}

/** y = (u − 1) / (u + 1): the Edwards form of a Montgomery point, without the sign. */
function edwardsOf(montgomery: Uint8Array): Buffer {
  const u = BigInt(`0x${Buffer.from(montgomery).reverse().toString('hex')}`) % prime;
  const y = ((u - 1n + prime) * inverse(u + 1n)) % prime;
  return Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse();
}

function inverse(value: bigint): bigint {
  let [low, high, lowFactor, highFactor] = [((value % prime) + prime) % prime, prime, 1n, 0n];
  while (low > 1n) {
    const ratio = high / low;
    [high, low] = [low, high - low * ratio];
    [highFactor, lowFactor] = [lowFactor, highFactor - lowFactor * ratio];
  }
  return ((lowFactor % prime) + prime) % prime;
}

function rawPublicKey(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' }).subarray(-32);
}
