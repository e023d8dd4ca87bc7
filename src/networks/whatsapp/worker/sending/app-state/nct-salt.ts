import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, proto } from 'baileys';
import { ProtobufStream, type Shape } from '../../library/protobuf-stream.ts';
import { accountFacts, changeFacts } from '../account-facts.ts';
import type { Wire } from '../link-memory.ts';
import { download } from '../media-transfer/download.ts';
import { type AppStateKeys, appStateKeys, type Mutation, mutationsIn, mutationsShape, saltAfter, snapshotShape } from './mutations.ts';

/** The collection of the app state that holds the nct salt. */
const collection = 'regular_high';
const notification = 'CB:notification,type:server_sync';
/** The most answers that are read in a row while the network has more changes. */
const mostParts = 50;
/** How long the download of one file may take, in milliseconds. */
const longestMs = 60_000;

/**
 * Follows the nct salt (`nctSaltSyncAction`) in the account's app state, where the phone sets, replaces and removes it. Other values of the collection
 * are not decrypted; Baileys would decrypt all of them and store a list of their MACs. The MAC of the salt itself is verified. The MACs over the whole
 * collection are not, because that needs the list. Source: whatsmeow appstate.go and appstate/decode.go.
 */
export class NctSaltSync {
  readonly #wire: Wire;
  readonly #ended = new AbortController();
  #isWanted = false;
  #isReading = false;

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.sock.ws.on(notification, this.#notified);
    wire.sock.ev.on('creds.update', this.#keysShared);
  }

  /** The connection is logged in. Reads the app state if there is no salt or it was never read. */
  opened(): void {
    const { salt, settingsVersion } = accountFacts(this.#wire.sock.authState.creds);
    if (salt === null || settingsVersion === 0) this.#read();
  }

  /** Aborts a download in progress. */
  close(): void {
    this.#wire.sock.ws.off(notification, this.#notified);
    this.#wire.sock.ev.off('creds.update', this.#keysShared);
    this.#ended.abort(new Error('the connection has ended'));
  }

  readonly #notified = (node: BinaryNode): void => {
    if (getBinaryNodeChildren(node, 'collection').some(({ attrs }) => attrs.name === collection)) this.#read();
  };

  /** The phone shares the keys of its app state some time after linking, and new ones from time to time. */
  readonly #keysShared = ({ myAppStateKeyId }: { myAppStateKeyId?: string }): void => {
    if (myAppStateKeyId !== undefined) this.#read();
  };

  /** Starts reading in the background. If it is already running, it reads once more at the end. */
  #read(): void {
    this.#isWanted = true;
    if (!this.#isReading) void this.#readAll();
  }

  async #readAll(): Promise<void> {
    const { sock, log } = this.#wire;
    this.#isReading = true;
    try {
      while (this.#isWanted && !this.#ended.signal.aborted) {
        this.#isWanted = false;
        // Nothing can be read without a key. Reading starts again when the first one arrives.
        if (sock.authState.creds.myAppStateKeyId === undefined) return;
        for (let part = 0; part < mostParts && (await this.#readPart()); part++);
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) log.error({ err: error }, 'the nct salt could not be read from the app state');
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads the changes since the last time. Returns whether there are more. */
  async #readPart(): Promise<boolean> {
    const { sock, log } = this.#wire;
    const { settingsVersion: before } = accountFacts(sock.authState.creds);
    const answer = await this.#query(before);
    const keys = new Map<string, AppStateKeys>();
    let version = before;
    let salt: Uint8Array | null | undefined;
    let isKeyMissing = false;
    for await (const change of this.#changes(answer, before)) {
      if (typeof change === 'number') {
        version = change;
        continue;
      }
      const id = Buffer.from(change.keyId).toString('base64');
      const key = keys.get(id) ?? (await this.#keysOf(id));
      if (key === null) isKeyMissing = true;
      else {
        keys.set(id, key);
        const changed = saltAfter(change, key);
        if (changed !== undefined) salt = changed;
      }
    }
    // The version stays, so that these changes are read again when the phone has shared the key.
    if (isKeyMissing) log.warn({}, 'the app state of a number waits for a key that its phone has not shared');
    const settingsVersion = isKeyMissing ? before : version;
    if (salt !== undefined || settingsVersion !== before) changeFacts(sock, { ...(salt === undefined ? {} : { salt }), settingsVersion });
    return answer.attrs.has_more_patches === 'true' && settingsVersion !== before;
  }

  async #query(version: number): Promise<BinaryNode> {
    const attrs = { name: collection, version: String(version), return_snapshot: String(version === 0) };
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
    return key?.keyData ? appStateKeys(key.keyData) : null;
  }
}
