import { type BinaryNode, generateSignalPubKey } from 'baileys';
import { isSignedBy } from './fast-signatures.ts';
import { type KeyBundle, readPreKey, readSignedPreKey, type SignedPublicPreKey } from './key-bundle.ts';
import { child, children, requiredBytes, uintBytes, uintOf } from './nodes.ts';

const entryLength = 35;

/** Why a new signed pre-key was not taken, by the codes that WhatsApp's web client knows. */
export type RotationRefusal = 'bad_key' | 'not_valid';

/** The public keys that a linked device has uploaded. One-time keys are stored packed, because a thousand devices upload 812 of them each. */
export class UploadedKeys {
  readonly #identity: Buffer;
  #registrationId = 0;
  #signed: (SignedPublicPreKey & { readonly since: number }) | null = null;
  #packed: Buffer = Buffer.alloc(0);
  #next = 0;

  readonly #now: () => number;

  /** `now` tells epoch milliseconds. */
  constructor(identity: Buffer, now: () => number) {
    this.#identity = identity;
    this.#now = now;
  }

  /** The id of the signed pre-key and since when it has been in use (epoch milliseconds); null before the first upload. */
  get signedPreKey(): { readonly id: number; readonly since: number } | null {
    return this.#signed === null ? null : { id: this.#signed.id, since: this.#signed.since };
  }

  /** Forgets the identity and the signed pre-key, but not how many one-time keys there are. */
  lose(): void {
    this.#signed = null;
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
    this.#sign(readSignedPreKey(child(query, 'skey')));
    this.#registrationId = uintOf(requiredBytes(query, 'registration', 4));
    const added = children(child(query, 'list'), 'key').map(readPreKey);
    if (new Set(added.map(({ id }) => id)).size < added.length) throw new Error('an upload names a prekey twice');
    this.#packed = Buffer.concat([
      this.#packed.subarray(this.#next * entryLength),
      ...added.flatMap(({ id, key }) => [uintBytes(id, 3), key]),
    ]);
    this.#next = 0;
  }

  /** Puts another signed pre-key in place of the current one. Why not, if it may not; null when it was taken. */
  rotate(node: BinaryNode | undefined): RotationRefusal | null {
    try {
      const signed = readSignedPreKey(node);
      const { id, key } = this.#signed ?? {};
      if (id === undefined || (signed.id === id && key?.equals(signed.key) === false)) return 'not_valid';
      this.#sign(signed);
      return null;
    } catch {
      return 'bad_key';
    }
  }

  #sign(signed: SignedPublicPreKey): void {
    if (!isSignedBy(this.#identity, generateSignalPubKey(signed.key), signed.signature))
      throw new Error('signed prekey with a bad signature');
    const since = this.#signed?.id === signed.id ? this.#signed.since : this.#now();
    this.#signed = { ...signed, since };
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
