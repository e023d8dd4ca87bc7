import type { Agent } from 'node:https';
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, proto } from 'baileys';
import { ProtobufStream, type Shape } from '../../library/protobuf-stream.ts';
import { accountFacts, learnFacts } from '../account-facts.ts';
import { download } from '../media-transfer/download.ts';
import type { SendingLog, SendingSocket } from '../socket.ts';
import { type Mutation, mutationsIn, mutationsShape, type SettingKeys, saltAfter, settingKeys, snapshotShape } from './mutations.ts';

/** The collection of the account's settings that holds the key of client-signed tokens. */
const collection = 'regular_high';
const notified = 'CB:notification,type:server_sync';
/** The most answers that are read in a row while the network says there are more changes. */
const mostParts = 50;
/** How long the download of one file may take, in milliseconds. */
const longestMs = 60_000;

interface SaltSyncOptions {
  readonly sock: SendingSocket;
  readonly log: SendingLog;
  readonly agent: Agent | null;
}

/** The result of reading one answer. */
interface Read {
  version: number;
  /** undefined: not changed. */
  salt: Uint8Array | null | undefined;
  /** Whether a setting is encrypted with a key that the phone has not shared yet. */
  isKeyMissing: boolean;
}

/**
 * Follows the key of client-signed tokens (`nctSaltSyncAction`) in the account's settings, where the phone sets, replaces and removes it. Other
 * settings of the collection are not decrypted; Baileys would decrypt all of them and store a list of their MACs. The MAC of the salt itself is
 * verified. The MACs over the whole collection are not, because that needs the list. Source: whatsmeow appstate.go and appstate/decode.go.
 */
export class SaltSync {
  readonly #options: SaltSyncOptions;
  readonly #ended = new AbortController();
  #isWanted = false;
  #isReading = false;

  constructor(options: SaltSyncOptions) {
    this.#options = options;
    options.sock.ws.on(notified, this.#notified);
    options.sock.ev.on('creds.update', this.#keysShared);
  }

  /** The connection is logged in. Reads the settings if there is no salt or they were never read. */
  opened(): void {
    const { salt, settingsVersion } = accountFacts(this.#options.sock.authState.creds);
    if (salt === null || settingsVersion === 0) this.#read();
  }

  /** Aborts a download in progress. */
  close(): void {
    this.#options.sock.ws.off(notified, this.#notified);
    this.#options.sock.ev.off('creds.update', this.#keysShared);
    this.#ended.abort(new Error('the connection has ended'));
  }

  readonly #notified = (node: BinaryNode): void => {
    if (getBinaryNodeChildren(node, 'collection').some(({ attrs }) => attrs.name === collection)) this.#read();
  };

  /** The phone shares the keys of its settings some time after linking, and new ones from time to time. */
  readonly #keysShared = ({ myAppStateKeyId }: { myAppStateKeyId?: string }): void => {
    if (myAppStateKeyId !== undefined) this.#read();
  };

  /** Starts reading in the background. If it is already running, it reads once more at the end. */
  #read(): void {
    this.#isWanted = true;
    if (!this.#isReading) void this.#readAll();
  }

  async #readAll(): Promise<void> {
    const { sock, log } = this.#options;
    this.#isReading = true;
    try {
      while (this.#isWanted && !this.#ended.signal.aborted) {
        this.#isWanted = false;
        // Nothing can be read without a key. Reading starts again when the first one arrives.
        if (sock.authState.creds.myAppStateKeyId === undefined) return;
        for (let part = 0; part < mostParts && (await this.#readPart()); part++);
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) log.error({ err: error }, 'the key of contact tokens could not be read from the settings');
    } finally {
      this.#isReading = false;
    }
  }

  /** Reads the changes since the last time. Returns whether there are more. */
  async #readPart(): Promise<boolean> {
    const { sock, log } = this.#options;
    const { settingsVersion: before } = accountFacts(sock.authState.creds);
    const answer = await this.#ask(before);
    const read: Read = { version: before, salt: undefined, isKeyMissing: false };
    const keys = new Map<string, SettingKeys | null>();
    for await (const mutation of this.#mutations(answer, read)) {
      const id = Buffer.from(mutation.keyId).toString('base64');
      const known = keys.get(id);
      const key = known === undefined ? await this.#keysOf(id) : known;
      keys.set(id, key);
      if (key === null) read.isKeyMissing = true;
      else {
        const salt = saltAfter(mutation, key);
        if (salt !== undefined) read.salt = salt;
      }
    }
    // The version stays, so that these changes are read again when the phone has shared the key.
    if (read.isKeyMissing) log.warn({}, 'settings of a number wait for a key that its phone has not shared');
    const salt = read.salt === undefined ? {} : { salt: read.salt };
    const settingsVersion = read.isKeyMissing ? before : read.version;
    if (read.salt !== undefined || settingsVersion !== before) learnFacts(sock, { ...salt, settingsVersion });
    return answer.attrs.has_more_patches === 'true' && settingsVersion !== before;
  }

  async #ask(version: number): Promise<BinaryNode> {
    const attrs = { name: collection, version: String(version), return_snapshot: String(version === 0) };
    const answer: BinaryNode = await this.#options.sock.query({
      tag: 'iq',
      attrs: { to: '@s.whatsapp.net', xmlns: 'w:sync:app:state', type: 'set' },
      content: [{ tag: 'sync', attrs: {}, content: [{ tag: 'collection', attrs }] }],
    });
    const told = getBinaryNodeChild(getBinaryNodeChild(answer, 'sync'), 'collection');
    if (told === undefined || told.attrs.type === 'error') throw new Error('the network did not return the settings');
    return told;
  }

  /** Yields the changes in order and sets `read.version`. */
  async *#mutations(answer: BinaryNode, read: Read): AsyncGenerator<Mutation> {
    const setVersion = (version: number) => {
      read.version = version;
    };
    const snapshot = getBinaryNodeChild(answer, 'snapshot')?.content;
    if (snapshot instanceof Uint8Array) {
      yield* this.#streamed(proto.ExternalBlobReference.decode(snapshot), (take) => snapshotShape(setVersion, take));
    }
    for (const { content } of getBinaryNodeChildren(getBinaryNodeChild(answer, 'patches'), 'patch')) {
      if (!(content instanceof Uint8Array)) continue;
      const patch = proto.SyncdPatch.decode(content);
      yield* mutationsIn(patch);
      if (patch.externalMutations) yield* this.#streamed(patch.externalMutations, mutationsShape);
      setVersion(Number(patch.version?.version ?? read.version + 1));
    }
  }

  /** Streams a file of settings; only one piece of it is in memory at a time. */
  async *#streamed(
    { mediaKey, directPath }: proto.IExternalBlobReference,
    shape: (take: (mutation: Mutation) => void) => Shape,
  ): AsyncGenerator<Mutation> {
    if (!mediaKey || !directPath) throw new Error('a file of settings has no location');
    const { sock, agent } = this.#options;
    const signal = AbortSignal.any([this.#ended.signal, AbortSignal.timeout(longestMs)]);
    const ready: Mutation[] = [];
    const stream = new ProtobufStream(shape((mutation) => ready.push(mutation)));
    for await (const piece of download({ sock, agent: agent ?? undefined }, { mediaKey, directPath }, 'md-app-state', signal)) {
      stream.push(piece);
      yield* ready.splice(0);
    }
    stream.end();
    yield* ready.splice(0);
  }

  async #keysOf(id: string): Promise<SettingKeys | null> {
    const key = (await this.#options.sock.authState.keys.get('app-state-sync-key', [id]))[id];
    return key?.keyData ? settingKeys(key.keyData) : null;
  }
}
