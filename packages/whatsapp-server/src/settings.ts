import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { type BinaryNode, makeLtHashGenerator, newLTHashState, proto } from 'baileys';
import type { MediaStore } from './media-store.ts';

/** The collections that are not empty: the one with the key of client-signed tokens, and the one with the account's name. */
export const saltCollection = 'regular_high';
export const nameCollection = 'critical_block';
type CollectionName = typeof saltCollection | typeof nameCollection;
const { SET, REMOVE } = proto.SyncdMutation.SyncdOperation;
/** How many changes one answer holds at most. */
const patchesAtOnce = 2;

/** All collections of an account's settings, encrypted with the same key. */
export function createSettings(): Readonly<Record<CollectionName, Settings>> {
  const key = newKey();
  return { [saltCollection]: new Settings(saltCollection, key), [nameCollection]: new Settings(nameCollection, key) };
}

interface Key {
  readonly id: Buffer;
  readonly data: Buffer;
}

/** One collection of an account's settings (app state) as its phone encrypts them for its companions: as patches, and as a snapshot. */
export class Settings {
  readonly #collection: CollectionName;
  readonly #key: Key;
  readonly #records = new Map<string, proto.ISyncdRecord>();
  readonly #patches: proto.ISyncdPatch[] = [];
  #state = newLTHashState();

  constructor(collection: CollectionName = saltCollection, key = newKey()) {
    this.#collection = collection;
    this.#key = key;
    // A private setting that the gateway must not decrypt, first in the snapshot.
    const value = proto.SyncActionValue.encode({ pushNameSetting: { name: 'An old secret' } }).finish();
    this.#change(SET, ['a_setting_of_the_phone'], value);
  }

  get version(): number {
    return this.#state.version;
  }

  /** Sets the key of client-signed tokens, or with null removes it. */
  changeSalt(salt: Uint8Array | null): void {
    // Field 80 (nctSaltSyncAction) › 1 (salt); the library's own schema does not know it.
    if (salt === null) this.#change(REMOVE, ['nct_salt_sync'], Buffer.alloc(0));
    else this.#change(SET, ['nct_salt_sync'], Buffer.concat([Buffer.of(0x82, 0x05, salt.length + 2, 0x0a, salt.length), salt]));
  }

  /** Sets the name that recipients see. */
  changeName(name: string): void {
    this.#change(SET, ['setting_pushName'], proto.SyncActionValue.encode({ pushNameSetting: { name } }).finish());
  }

  /** The message by which a phone shares the key to its settings with a companion. */
  keyShare(): proto.IMessage {
    const keyData = { keyData: this.#key.data, fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0] }, timestamp: Date.now() };
    const type = proto.Message.ProtocolMessage.Type.APP_STATE_SYNC_KEY_SHARE;
    return { protocolMessage: { type, appStateSyncKeyShare: { keys: [{ keyId: { keyId: this.#key.id }, keyData }] } } };
  }

  /** The key to the settings by its id in Base64, as Baileys asks for it. */
  readonly key = async (id: string): Promise<proto.Message.IAppStateSyncKeyData | undefined> =>
    id === this.#key.id.toString('base64') ? { keyData: this.#key.data } : undefined;

  snapshot(): proto.ISyncdSnapshot {
    const { version } = this.#state;
    return { version: { version }, records: [...this.#records.values()], mac: this.#snapshotMac(), keyId: { id: this.#key.id } };
  }

  patchesAfter(version: number): readonly proto.ISyncdPatch[] {
    return this.#patches.slice(version);
  }

  /** The answer to a companion that has read up to `version`. Every other patch has its changes in a file. */
  async answer({ version = '0', return_snapshot: whole }: BinaryNode['attrs'], media: MediaStore): Promise<BinaryNode> {
    const attrs = { name: this.#collection, version: String(this.version), type: 'result', has_more_patches: 'false' };
    if (whole === 'true') {
      const file = await media.keepEncrypted(Buffer.from(proto.SyncdSnapshot.encode(this.snapshot()).finish()), 'md-app-state');
      const content = proto.ExternalBlobReference.encode(file).finish();
      return { tag: 'collection', attrs, content: [{ tag: 'snapshot', attrs: {}, content }] };
    }
    const patches = this.patchesAfter(Number(version));
    const content = await Promise.all(
      patches.slice(0, patchesAtOnce).map(async (patch) => {
        const sent = Number(patch.version?.version) % 2 === 0 ? patch : await asFile(patch, media);
        return { tag: 'patch', attrs: {}, content: proto.SyncdPatch.encode(sent).finish() };
      }),
    );
    const more = { has_more_patches: String(patches.length > patchesAtOnce) };
    return { tag: 'collection', attrs: { ...attrs, ...more }, content: [{ tag: 'patches', attrs: {}, content }] };
  }

  /** `value`: an encoded SyncActionValue. */
  #change(operation: proto.SyncdMutation.SyncdOperation, index: readonly string[], value: Buffer | Uint8Array): void {
    const { indexKey, encryptionKey, valueMacKey, patchMacKey } = this.#keys;
    const name = Buffer.from(JSON.stringify(index));
    const known = proto.SyncActionData.encode({ index: name, padding: Buffer.alloc(0), version: 1 }).finish();
    const plain = Buffer.concat([known, Buffer.of(0x12, value.length), value]);
    const iv = randomBytes(16);
    const cipher = createCipheriv('aes-256-cbc', encryptionKey, iv);
    const body = Buffer.concat([iv, cipher.update(plain), cipher.final()]);
    const head = Buffer.concat([Buffer.of(operation === SET ? 1 : 2), this.#key.id]);
    const valueMac = hmac('sha512', valueMacKey, head, body, bigEndian(head.length)).subarray(0, 32);
    const indexMac = hmac('sha256', indexKey, name);
    const record = { index: { blob: indexMac }, value: { blob: Buffer.concat([body, valueMac]) }, keyId: { id: this.#key.id } };
    const generator = makeLtHashGenerator(this.#state);
    generator.mix({ indexMac, valueMac, operation });
    this.#state = { ...generator.finish(), version: this.#state.version + 1 };
    if (operation === SET) this.#records.set(indexMac.toString('base64'), record);
    else this.#records.delete(indexMac.toString('base64'));
    const { version } = this.#state;
    const snapshotMac = this.#snapshotMac();
    const patchMac = hmac('sha256', patchMacKey, snapshotMac, valueMac, bigEndian(version), Buffer.from(this.#collection));
    this.#patches.push({ version: { version }, mutations: [{ operation, record }], snapshotMac, patchMac, keyId: { id: this.#key.id } });
  }

  #snapshotMac(): Buffer {
    return hmac('sha256', this.#keys.snapshotMacKey, this.#state.hash, bigEndian(this.#state.version), Buffer.from(this.#collection));
  }

  get #keys() {
    const keys = Buffer.from(hkdfSync('sha256', this.#key.data, Buffer.alloc(0), 'WhatsApp Mutation Keys', 160));
    const key = (place: number) => keys.subarray(place * 32, place * 32 + 32);
    return { indexKey: key(0), encryptionKey: key(1), valueMacKey: key(2), snapshotMacKey: key(3), patchMacKey: key(4) };
  }
}

function newKey(): Key {
  return { id: randomBytes(6), data: randomBytes(32) };
}

/** The change with its settings in a file on the media server. */
async function asFile(patch: proto.ISyncdPatch, media: MediaStore): Promise<proto.ISyncdPatch> {
  const bytes = proto.SyncdMutations.encode({ mutations: patch.mutations ?? [] }).finish();
  return { ...patch, mutations: [], externalMutations: await media.keepEncrypted(Buffer.from(bytes), 'md-app-state') };
}

function hmac(hash: 'sha256' | 'sha512', key: Uint8Array, ...parts: readonly Uint8Array[]): Buffer {
  return createHmac(hash, key).update(Buffer.concat(parts)).digest();
}

function bigEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}
