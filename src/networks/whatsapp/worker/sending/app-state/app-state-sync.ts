import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, proto } from 'baileys';
import { ProtobufStream, type Shape } from '../../library/protobuf-stream.ts';
import type { Wire } from '../link-memory.ts';
import { download } from '../media-transfer/download.ts';
import { type AppStateKeys, appStateKeys, type Mutation, mutationsIn, mutationsShape, snapshotShape, valueAfter } from './mutations.ts';
import type { AppStateValue } from './values.ts';

const notification = 'CB:notification,type:server_sync';
/** The most answers that are read in a row while the network has more changes. */
const mostParts = 50;
/** How long the download of one file may take, in milliseconds. */
const longestMs = 60_000;

/**
 * Follows a value in the account's app state, where the phone sets, replaces and removes it. Other values of its collection are not decrypted; Baileys
 * would decrypt all of them and store a list of their MACs. The MAC of the value itself is verified. The MACs over the whole collection are not, because
 * that needs the list. Sends never wait for this. Source: whatsmeow appstate.go and appstate/decode.go.
 */
export class AppStateSync {
  readonly #wire: Wire;
  readonly #value: AppStateValue;
  readonly #ended = new AbortController();
  /** The id of the key that the phone shared last. */
  #keyId: string | undefined;
  #isWanted = false;
  #isReading = false;
  /** Whether what was read last needs a key that the phone has not shared. */
  #isKeyMissing = false;

  constructor(wire: Wire, value: AppStateValue) {
    this.#wire = wire;
    this.#value = value;
    this.#keyId = wire.sock.authState.creds.myAppStateKeyId;
    wire.sock.ws.on(notification, this.#notified);
    wire.sock.ev.on('creds.update', this.#keysShared);
  }

  /** The connection is logged in. Reads the app state unless an earlier connection did: what that missed or could not read is not reported again. */
  opened(): void {
    if (!this.#wire.memory.readAppState.has(this.#value.collection)) this.#read();
  }

  /** Aborts a download in progress. */
  close(): void {
    this.#wire.sock.ws.off(notification, this.#notified);
    this.#wire.sock.ev.off('creds.update', this.#keysShared);
    this.#ended.abort(new Error('the connection has ended'));
  }

  readonly #notified = (node: BinaryNode): void => {
    if (getBinaryNodeChildren(node, 'collection').some(({ attrs }) => attrs.name === this.#value.collection)) this.#read();
  };

  /**
   * The phone shares the keys of its app state some time after linking, and new ones from time to time. Baileys also emits all credentials when something
   * else has changed, with the same key.
   */
  readonly #keysShared = ({ myAppStateKeyId }: { myAppStateKeyId?: string }): void => {
    if (myAppStateKeyId === undefined || myAppStateKeyId === this.#keyId) return;
    this.#keyId = myAppStateKeyId;
    this.#read();
  };

  /** Starts reading in the background. If it is already running, it reads once more at the end. */
  #read(): void {
    this.#isWanted = true;
    this.#wire.memory.readAppState.delete(this.#value.collection);
    if (!this.#isReading) void this.#readAll();
  }

  async #readAll(): Promise<void> {
    const { sock, memory, log } = this.#wire;
    const { name, collection } = this.#value;
    this.#isReading = true;
    try {
      while (this.#isWanted && !this.#ended.signal.aborted) {
        this.#isWanted = false;
        // Nothing can be read without a key. Reading starts again when the first one arrives.
        if (sock.authState.creds.myAppStateKeyId === undefined) return;
        for (let part = 0; part < mostParts && (await this.#readPart()); part++);
      }
      if (!this.#isWanted && !this.#isKeyMissing) memory.readAppState.add(collection);
    } catch (error) {
      if (!this.#ended.signal.aborted && sock.ws.isOpen) log.error({ err: error }, `${name} could not be read from the app state`);
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads the changes since the last time. Returns whether there are more. */
  async #readPart(): Promise<boolean> {
    const { sock, log } = this.#wire;
    const before = this.#value.version(sock.authState.creds);
    const answer = await this.#query(before);
    const keys = new Map<string, AppStateKeys>();
    let version = before;
    let value: Uint8Array | null | undefined;
    this.#isKeyMissing = false;
    for await (const change of this.#changes(answer, before)) {
      if (typeof change === 'number') {
        version = change;
        continue;
      }
      const id = Buffer.from(change.keyId).toString('base64');
      const key = keys.get(id) ?? (await this.#keysOf(id));
      if (key === null) this.#isKeyMissing = true;
      else {
        keys.set(id, key);
        const changed = valueAfter(change, key, this.#value);
        if (changed !== undefined) value = changed;
      }
    }
    // The version stays, so that these changes are read again when the phone has shared the key.
    if (this.#isKeyMissing) log.warn({}, 'the app state of a number waits for a key that its phone has not shared');
    const reached = this.#isKeyMissing ? before : version;
    if (value !== undefined || reached !== before) this.#value.store(sock, value, reached);
    return answer.attrs.has_more_patches === 'true' && reached !== before;
  }

  async #query(version: number): Promise<BinaryNode> {
    const attrs = { name: this.#value.collection, version: String(version), return_snapshot: String(version === 0) };
    const answer: BinaryNode = await this.#wire.sock.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', xmlns: 'w:sync:app:state', type: 'set' },
      content: [{ tag: 'sync', attrs: {}, content: [{ tag: 'collection', attrs }] }],
    });
    const changes = getBinaryNodeChild(getBinaryNodeChild(answer, 'sync'), 'collection');
    if (changes === undefined || changes.attrs.type === 'error') throw new Error('the network did not return the app state');
    return changes;
  }

  /** Yields the changes in order, and each version that is reached. */
  async *#changes(answer: BinaryNode, before: number): AsyncGenerator<Mutation | number> {
    const snapshot = getBinaryNodeChild(answer, 'snapshot')?.content;
    if (snapshot instanceof Uint8Array) yield* this.#streamed(proto.ExternalBlobReference.decode(snapshot), snapshotShape);
    for (const { content } of getBinaryNodeChildren(getBinaryNodeChild(answer, 'patches'), 'patch')) {
      if (!(content instanceof Uint8Array)) continue;
      const patch = proto.SyncdPatch.decode(content);
      yield* mutationsIn(patch);
      if (patch.externalMutations) yield* this.#streamed(patch.externalMutations, mutationsShape);
      yield Number(patch.version?.version ?? before + 1);
    }
  }

  /** Streams a file of changes; only one piece of it is in memory at a time. */
  async *#streamed(
    { mediaKey, directPath }: proto.IExternalBlobReference,
    shape: (take: (change: Mutation | number) => void) => Shape,
  ): AsyncGenerator<Mutation | number> {
    if (!mediaKey || !directPath) throw new Error('a file of the app state has no location');
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(longestMs)]);
    const ready: (Mutation | number)[] = [];
    const stream = new ProtobufStream(shape((change) => ready.push(change)));
    for await (const piece of download(this.#wire, { mediaKey, directPath }, 'md-app-state', signal)) {
      stream.push(piece);
      yield* ready.splice(0);
    }
    stream.end();
    yield* ready.splice(0);
  }

  async #keysOf(id: string): Promise<AppStateKeys | null> {
    const key = (await this.#wire.sock.authState.keys.get('app-state-sync-key', [id]))[id];
    return key?.keyData ? appStateKeys(key.keyData, this.#value) : null;
  }
}
