import { type BinaryNode, generateSignalPubKey } from 'baileys';
import { isSignedBy } from './fast-signatures.ts';
import { type KeyBundle, readPreKey, readSignedPreKey, type SignedPublicPreKey } from './key-bundle.ts';
import { child, children, requiredBytes, uintBytes, uintOf } from './nodes.ts';

const entryLength = 35;

/** The public keys that a linked device has uploaded. One-time keys are stored packed, because a thousand devices upload 812 of them each. */
export class UploadedKeys {
  readonly #identity: Buffer;
  #registrationId = 0;
  #signed: SignedPublicPreKey | null = null;
  #packed: Buffer = Buffer.alloc(0);
  #next = 0;

  constructor(identity: Buffer) {
    this.#identity = identity;
  }

  /** How many one-time keys are left. */
  get count(): number {
    return this.#packed.length / entryLength - this.#next;
  }

  get complete(): boolean {
    return this.#signed !== null;
  }

  /** Stores an upload. Throws when it is malformed, not signed by the device, or contains a key id twice. */
  upload(query: BinaryNode): void {
    if (!requiredBytes(query, 'identity', 32).equals(this.#identity)) throw new Error('uploaded keys show another identity');
    this.rotate(child(query, 'skey'));
    this.#registrationId = uintOf(requiredBytes(query, 'registration', 4));
    const added = children(child(query, 'list'), 'key').map(readPreKey);
    if (new Set(added.map(({ id }) => id)).size < added.length) throw new Error('an upload names a prekey twice');
    this.#packed = Buffer.concat([
      this.#packed.subarray(this.#next * entryLength),
      ...added.flatMap(({ id, key }) => [uintBytes(id, 3), key]),
    ]);
    this.#next = 0;
  }

  rotate(node: BinaryNode | undefined): void {
    const signed = readSignedPreKey(node);
    if (!isSignedBy(this.#identity, generateSignalPubKey(signed.key), signed.signature))
      throw new Error('signed prekey with a bad signature');
    this.#signed = signed;
  }

  /** Returns a bundle and uses up its one-time key. Null before the first upload. */
  take(): KeyBundle | null {
    if (!this.#signed) return null;
    const bundle = { registrationId: this.#registrationId, identity: this.#identity, signed: this.#signed };
    if (this.count === 0) return { ...bundle, once: null };
    const entry = this.#packed.subarray(this.#next * entryLength, (this.#next + 1) * entryLength);
    this.#next += 1;
    return { ...bundle, once: { id: entry.readUIntBE(0, 3), key: Buffer.from(entry.subarray(3)) } };
  }
}
