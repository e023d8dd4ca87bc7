import { Curve, generateRegistrationId, generateSignalPubKey, type SignalRepositoryWithLIDStore, type SignedKeyPair } from 'baileys';
import { createSigningKeyPair, type SigningKeyPair } from './fast-signatures.ts';
import type { KeyBundle } from './key-bundle.ts';
import { createSignalParts, type SignalParts } from './signal-store.ts';

/** One device's side of the Signal protocol: its keys and sessions. */
export class SignalIdentity {
  readonly key: SigningKeyPair = createSigningKeyPair();
  readonly registrationId: number = generateRegistrationId();
  readonly #signedPreKey: SignedKeyPair;
  readonly #parts: SignalParts;
  #nextPreKeyId = 1;

  constructor() {
    const keyPair = Curve.generateKeyPair();
    this.#signedPreKey = { keyPair, keyId: 1, signature: this.key.sign(generateSignalPubKey(keyPair.public)) };
    const { registrationId } = this;
    this.#parts = createSignalParts({ signedIdentityKey: this.key.keyPair, signedPreKey: this.#signedPreKey, registrationId });
  }

  get #repository(): SignalRepositoryWithLIDStore {
    return this.#parts.repository;
  }

  /** A new bundle, each with a one-time key of its own. */
  async takeBundle(): Promise<KeyBundle> {
    const id = this.#nextPreKeyId++;
    const once = Curve.generateKeyPair();
    await this.#parts.keys.set({ 'pre-key': { [id]: once } });
    const { keyPair, keyId, signature } = this.#signedPreKey;
    return {
      registrationId: this.registrationId,
      identity: Buffer.from(this.key.keyPair.public),
      signed: { id: keyId, key: Buffer.from(keyPair.public), signature: Buffer.from(signature) },
      once: { id, key: Buffer.from(once.public) },
    };
  }

  /** Decrypts a message. Rejects when the ciphertext matches no session or key, was used before, or has a wrong MAC. */
  decrypt(fromJid: string, type: 'pkmsg' | 'msg', ciphertext: Uint8Array): Promise<Uint8Array> {
    return this.#repository.decryptMessage({ jid: fromJid, type, ciphertext: Buffer.from(ciphertext) });
  }

  encrypt(toJid: string, data: Uint8Array): Promise<{ type: 'pkmsg' | 'msg'; ciphertext: Uint8Array }> {
    return this.#repository.encryptMessage({ jid: toJid, data });
  }

  async hasSession(withJid: string): Promise<boolean> {
    return (await this.#repository.validateSession(withJid)).exists;
  }

  /** Starts a new Signal session from a bundle, in place of the current one. */
  startSession(withJid: string, bundle: KeyBundle): Promise<void> {
    const { registrationId, identity, signed, once } = bundle;
    const signedPreKey = { keyId: signed.id, publicKey: generateSignalPubKey(signed.key), signature: signed.signature };
    return this.#repository.injectE2ESession({
      jid: withJid,
      session: {
        registrationId,
        identityKey: generateSignalPubKey(identity),
        signedPreKey,
        ...(once ? { preKey: { keyId: once.id, publicKey: generateSignalPubKey(once.key) } } : {}),
      },
    });
  }
}
