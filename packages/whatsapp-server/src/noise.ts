import { createHash, hkdfSync } from 'node:crypto';
import { aesDecryptGCM, aesEncryptGCM, Curve, type KeyPair, NOISE_MODE, NOISE_WA_HEADER, proto } from 'baileys';
import type { NoiseIdentity } from './noise-certificate.ts';

const noData = Buffer.alloc(0);

/** The two ciphers of an established connection. Both sides count messages, so a lost or repeated frame cannot be decrypted. */
export class Transport {
  readonly #sendKey: Buffer;
  readonly #receiveKey: Buffer;
  #sent = 0;
  #received = 0;

  constructor(sendKey: Buffer, receiveKey: Buffer) {
    this.#sendKey = sendKey;
    this.#receiveKey = receiveKey;
  }

  encrypt(plain: Uint8Array): Buffer {
    return aesEncryptGCM(plain, this.#sendKey, nonce(this.#sent++), noData);
  }

  decrypt(sealed: Uint8Array): Buffer {
    return aesDecryptGCM(sealed, this.#receiveKey, nonce(this.#received++), noData);
  }
}

/** The responding side of Noise XX (25519, AES-GCM, SHA-256): `hello` first, then `finish`. */
export class NoiseResponder {
  readonly #identity: NoiseIdentity;
  readonly #ephemeral: KeyPair = Curve.generateKeyPair();
  #hash: Buffer = Buffer.from(NOISE_MODE);
  #salt: Buffer = this.#hash;
  #key: Buffer = this.#hash;
  #counter = 0;

  constructor(identity: NoiseIdentity) {
    this.#identity = identity;
    this.#mixHash(NOISE_WA_HEADER);
  }

  /** Takes the client's hello and returns the server's, with its keys and certificate chain. */
  hello(frame: Uint8Array): Uint8Array {
    const clientEphemeral = proto.HandshakeMessage.decode(frame).clientHello?.ephemeral;
    if (clientEphemeral?.length !== 32) throw new Error('client hello without a key');
    this.#mixHash(clientEphemeral);
    this.#mixHash(this.#ephemeral.public);
    this.#mixKey(Curve.sharedKey(this.#ephemeral.private, clientEphemeral));
    const sealedStatic = this.#encrypt(this.#identity.keyPair.public);
    this.#mixKey(Curve.sharedKey(this.#identity.keyPair.private, clientEphemeral));
    const payload = this.#encrypt(this.#identity.certificateChain);
    return proto.HandshakeMessage.encode({ serverHello: { ephemeral: this.#ephemeral.public, static: sealedStatic, payload } }).finish();
  }

  /** Takes the client's finish. Throws when it was not made with the key that it contains. */
  finish(frame: Uint8Array): { noiseKey: Buffer; payload: proto.ClientPayload; transport: Transport } {
    const finish = proto.HandshakeMessage.decode(frame).clientFinish;
    if (!finish?.static || !finish.payload) throw new Error('client finish is incomplete');
    const noiseKey = this.#decrypt(finish.static);
    this.#mixKey(Curve.sharedKey(this.#ephemeral.private, noiseKey));
    const payload = proto.ClientPayload.decode(this.#decrypt(finish.payload));
    const [fromClient, toClient] = this.#expand(noData);
    return { noiseKey, payload, transport: new Transport(toClient, fromClient) };
  }

  #mixHash(data: Uint8Array): void {
    this.#hash = createHash('sha256').update(this.#hash).update(data).digest();
  }

  #mixKey(secret: Uint8Array): void {
    [this.#salt, this.#key] = this.#expand(secret);
    this.#counter = 0;
  }

  #expand(secret: Uint8Array): [Buffer, Buffer] {
    const expanded = Buffer.from(hkdfSync('sha256', secret, this.#salt, '', 64));
    return [expanded.subarray(0, 32), expanded.subarray(32)];
  }

  #encrypt(plain: Uint8Array): Buffer {
    const sealed = aesEncryptGCM(plain, this.#key, nonce(this.#counter++), this.#hash);
    this.#mixHash(sealed);
    return sealed;
  }

  #decrypt(sealed: Uint8Array): Buffer {
    const plain = aesDecryptGCM(sealed, this.#key, nonce(this.#counter++), this.#hash);
    this.#mixHash(sealed);
    return plain;
  }
}

function nonce(counter: number): Buffer {
  const iv = Buffer.alloc(12);
  iv.writeUInt32BE(counter, 8);
  return iv;
}
