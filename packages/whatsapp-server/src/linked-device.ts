import type { BinaryNode } from 'baileys';
import type { Account } from './account.ts';
import { userFor } from './addressing.ts';
import type { Clock } from './clock.ts';
import type { Connection, StanzaReceiver } from './connection.ts';
import { type ContactToken, tokensNode } from './contact-tokens.ts';
import { type Device, deviceJid, type Parcel, type Receipt } from './device.ts';
import { lidJid, networkJid, numberJid } from './jids.ts';
import type { KeyBundle } from './key-bundle.ts';
import { child, nowSeconds } from './nodes.ts';
import type { Recorder } from './recorder.ts';
import { messageNode, receiptNode, streamError } from './stanzas.ts';
import { UploadedKeys } from './uploaded-keys.ts';

export interface LinkedDeviceOptions {
  readonly account: Account;
  readonly id: number;
  /** Static Noise key, with which the device proves its identity at each login. */
  readonly noiseKey: Buffer;
  /** Signal identity, raw 32 bytes. */
  readonly identity: Buffer;
  readonly record: Recorder;
  readonly clock: Clock;
  /** Stanzas the device sends. */
  readonly onNode: (device: LinkedDevice, node: BinaryNode) => void | Promise<void>;
  /** Somebody asks the device for a message again. */
  readonly onAsked: (device: LinkedDevice, receipt: Receipt) => void;
}

const maxUndelivered = 10_000;
/**
 * WhatsApp Web replaces its signed pre-key when 27 days have passed (whatsapp-rust rotate_key.rs, zapo constants.ts). A device that still writes with
 * an older key a day later does not.
 */
const longestKeyLifeMs = 28 * 24 * 60 * 60 * 1000;

/** A device linked by code. It runs in the gateway and logs in here. The server keeps it while it is not connected. */
export class LinkedDevice implements Device, StanzaReceiver {
  readonly account: Account;
  readonly id: number;
  readonly keyIndex: number;
  readonly noiseKey: Buffer;
  readonly identity: Buffer;
  readonly keys: UploadedKeys;
  /** Signed by phone and device; null until pairing is complete. */
  deviceIdentity: Buffer | null = null;
  readonly #options: LinkedDeviceOptions;
  /**
   * By name, oldest first. A message that the device has asked for again comes under the id of the first one, which may not be acknowledged yet.
   */
  readonly #undelivered = new Map<string, BinaryNode[]>();
  #connection: Connection | null = null;
  #stanzas = 0;
  /** Stanzas that wait after a login until the device asks for them. */
  #waiting: BinaryNode[] = [];

  constructor(options: LinkedDeviceOptions) {
    this.account = options.account;
    this.id = options.id;
    this.keyIndex = options.id;
    this.noiseKey = options.noiseKey;
    this.identity = options.identity;
    this.keys = new UploadedKeys(options.identity, () => options.clock.now());
    this.#options = options;
  }

  get connected(): boolean {
    return this.#connection !== null;
  }

  /** The device has logged in. Its older connection is replaced, as on the real network. */
  attach(connection: Connection): void {
    this.#connection?.end(streamError(440, 'replaced'));
    this.#connection = connection;
    connection.send({ tag: 'success', attrs: { t: nowSeconds(), props: '0', lid: lidJid(this.account.lid, this.id), location: 'test' } });
    this.#waiting = [...this.#undelivered.values()].flat();
    const count = String(this.#waiting.length);
    if (this.#waiting.length === 0) connection.send(offlineNode('offline', '0'));
    else connection.send(offlineNode('offline_preview', count));
    this.#options.record.loggedIn(this.account.number);
  }

  onNode(node: BinaryNode): void | Promise<void> {
    if (node.tag === 'ib' && child(node, 'offline_batch') !== undefined) return this.#sendWaiting();
    if (node.tag === 'message' && this.#waiting.length > 0) this.#options.record.problem('a message was sent before what waited was taken');
    if (node.tag === 'message' && this.#isKeyTooOld()) this.#options.record.problem('a message was sent with an old signed pre-key in use');
    return this.#options.onNode(this, node);
  }

  #isKeyTooOld(): boolean {
    const { signedPreKey } = this.keys;
    return signedPreKey !== null && this.#options.clock.now() - signedPreKey.since > longestKeyLifeMs;
  }

  /** Sends the stanzas that waited, once the device asks for them. */
  #sendWaiting(): void {
    for (const node of this.#waiting) this.send({ ...node, attrs: { ...node.attrs, offline: '0' } });
    this.send(offlineNode('offline', String(this.#waiting.length)));
    this.#waiting = [];
  }

  /** How many stanzas the device has not acknowledged. */
  get undelivered(): number {
    return [...this.#undelivered.values()].reduce((sum, nodes) => sum + nodes.length, 0);
  }

  /** Sends a stanza that is neither a message to a person nor a receipt. Like those, it is sent again at each login until it is acknowledged. */
  post(node: BinaryNode): void {
    this.#post(`${node.tag} ${node.attrs.id}`, node);
  }

  /** A replaced connection closes after its successor has opened; that must not change anything. */
  onClosed(connection: Connection): void {
    if (this.#connection !== connection) return;
    this.#connection = null;
    this.#options.record.changed();
  }

  send(node: BinaryNode): void {
    this.#connection?.send(node);
  }

  cut(): void {
    this.#connection?.cut();
  }

  end(how: { kind: 'drop' } | { kind: 'stream_error'; code: number; conflict?: string } | { kind: 'silence' }): void {
    switch (how.kind) {
      case 'drop':
        this.#connection?.cut();
        return;
      case 'stream_error':
        this.#connection?.end(streamError(how.code, how.conflict));
        return;
      case 'silence':
        this.#connection?.fallSilent();
        return;
    }
  }

  async takeBundle(): Promise<KeyBundle | null> {
    const bundle = this.keys.take();
    if (this.keys.complete && this.keys.count < 5) this.#tellKeysLow();
    return bundle;
  }

  deliver(parcel: Parcel): void {
    this.#post(`message ${parcel.id}`, messageNode(this.account, parcel));
  }

  receive(receipt: Receipt): void {
    if (receipt.type === 'retry') this.#options.onAsked(this, receipt);
    const node = receiptNode(this.account, receipt);
    this.#post(`receipt ${receipt.id} ${node.attrs.from}`, node);
  }

  /** The device acknowledged a stanza of this class and id. */
  acknowledged(kind: string, id: string, from: string): void {
    if (kind === 'receipt') this.#taken(`receipt ${id} ${from}`);
    this.#taken(`${kind} ${id}`);
    this.#options.record.changed();
  }

  #taken(name: string): void {
    const [, ...later] = this.#undelivered.get(name) ?? [];
    if (later.length === 0) this.#undelivered.delete(name);
    else this.#undelivered.set(name, later);
  }

  /** Tells the device that devices of an account were added or removed. */
  tellDevices(of: Account, tag: 'add' | 'remove', devices: readonly Device[]): void {
    const content = devices.map((device) => {
      const lid = lidJid(of.lid, device.id);
      return { tag: 'device', attrs: { jid: deviceJid(device), lid, 'key-index': String(device.keyIndex) } };
    });
    this.#notify('devices', numberJid(of.number), [{ tag, attrs: { device_hash: '2:test' }, content }], { lid: lidJid(of.lid) });
  }

  /** Tells the device that somebody's phone has a new identity. */
  tellIdentity(of: Account): void {
    this.#notify('encrypt', numberJid(of.number), [{ tag: 'identity', attrs: {} }]);
  }

  /** Tells the device that somebody gave its owner a token. */
  tellToken(from: Account, token: ContactToken): void {
    this.#notify('privacy_token', userFor(this.account, from), [tokensNode(token)], { sender_lid: lidJid(from.lid) });
  }

  /** Tells the device which timer somebody wants new chats to have (whatsapp-rust and zapo read it so). */
  tellDefaultTimer(of: Account, expiration: number): void {
    const mode = { tag: 'disappearing_mode', attrs: { duration: String(expiration), t: nowSeconds() } };
    this.#notify('disappearing_mode', userFor(this.account, of), [mode]);
  }

  /** Sends the device a notice about its account. */
  tellOfAccount(notice: BinaryNode): void {
    this.#notify('mex', networkJid, [notice]);
  }

  /** Tells the device that the settings have changed. */
  tellSettings(name: string, version: number): void {
    this.#notify('server_sync', networkJid, [{ tag: 'collection', attrs: { name, version: String(version) } }]);
  }

  /** Tells the device that few one-time keys are left or that something of its account has changed, whether that is so or not. */
  tellNudge(about: 'few_keys' | 'account_sync' | 'dirty'): void {
    const disappearing = { tag: 'disappearing_mode', attrs: { duration: '86400', t: nowSeconds() } };
    if (about === 'few_keys') this.#tellKeysLow(3);
    else if (about === 'account_sync') this.#notify('account_sync', numberJid(this.account.number), [disappearing]);
    else {
      const dirty = { tag: 'dirty', attrs: { type: 'account_sync', timestamp: nowSeconds() } };
      this.send({ tag: 'ib', attrs: { from: networkJid }, content: [dirty] });
    }
  }

  #tellKeysLow(left = this.keys.count): void {
    this.#notify('encrypt', networkJid, [{ tag: 'count', attrs: { value: String(left) } }]);
  }

  #notify(type: string, from: string, content: BinaryNode[], more: Record<string, string> = {}): void {
    this.post(this.#notification(type, from, content, more));
  }

  #notification(type: string, from: string, content: BinaryNode[], more: Record<string, string> = {}): BinaryNode {
    this.#stanzas += 1;
    const id = `N${this.id}.${this.#stanzas}`;
    return { tag: 'notification', attrs: { id, type, from, t: nowSeconds(), ...more }, content };
  }

  #post(name: string, node: BinaryNode): void {
    if (this.#undelivered.size < maxUndelivered) this.#undelivered.set(name, [...(this.#undelivered.get(name) ?? []), node]);
    this.send(node);
  }
}

function offlineNode(tag: 'offline' | 'offline_preview', count: string): BinaryNode {
  return { tag: 'ib', attrs: { from: networkJid }, content: [{ tag, attrs: { count } }] };
}
