import { randomBytes } from 'node:crypto';
import type { BinaryNode } from 'baileys';
import type { Account } from './account.ts';
import { clientPropsNode } from './client-props.ts';
import type { Clock } from './clock.ts';
import { CompanionRefresh } from './companion-refresh.ts';
import type { Connection, StanzaReceiver } from './connection.ts';
import { completeDeviceIdentity, type IssuedIdentity, issueDeviceIdentity } from './device-identity.ts';
import { networkJid, numberJid, parseJid } from './jids.ts';
import { beginExchange, type CodeOffer, finishExchange } from './link-code.ts';
import type { LinkedDevice } from './linked-device.ts';
import { child, errorOf, nowSeconds, requiredBytes, resultOf } from './nodes.ts';
import { PairingNotices } from './pairing-notices.ts';
import { PasskeyPhone, type PasskeyScript } from './passkey-phone.ts';
import type { QrContent } from './qr-code.ts';
import { streamError } from './stanzas.ts';
import type { Strictness } from './strictness.ts';

export interface PairingOptions {
  readonly connection: Connection;
  /** Static Noise key of the device. */
  readonly noiseKey: Buffer;
  /** Signal identity of the device, raw 32 bytes. */
  readonly identity: Buffer;
  /** The `DeviceProps.PlatformType` that the device registered. */
  readonly platform: number;
  readonly refs: number;
  /** Adds the device to its account; from then on it may log in. */
  readonly createDevice: (account: Account) => LinkedDevice;
  readonly onLinked: (device: LinkedDevice) => void;
  readonly onCodeAsked: () => void;
  readonly onClosed: (pairing: Pairing) => void;
  /** When to cut the connection: `before` the device gets the phone's statement, or `after` the device has answered it. */
  readonly cutAt: () => 'before' | 'after' | null;
  readonly strictness: Strictness;
  /** The clock that measures how long the device takes to acknowledge. */
  readonly clock: Clock;
  readonly problem: (text: string) => void;
  /** The device tells its presence although it is not logged in. */
  readonly presence: (node: BinaryNode) => void;
}

/** One attempt to link a device, from the QR codes to the restart that the network requests at the end. */
export class Pairing implements StanzaReceiver {
  readonly #options: PairingOptions;
  readonly #refs: readonly string[];
  readonly #over = Promise.withResolvers<never>();
  readonly #notices: PairingNotices;
  readonly #refresh: CompanionRefresh;
  #closed = false;
  #passkey: PasskeyPhone | null = null;
  #offer: CodeOffer | null = null;
  #onCodeAnswer: ((answer: BinaryNode) => void) | null = null;
  #onIdentityAnswer: ((answer: BinaryNode) => void) | null = null;

  constructor(options: PairingOptions) {
    this.#options = options;
    this.#refs = Array.from({ length: options.refs }, () => `2@${randomBytes(32).toString('base64')}`);
    this.#notices = new PairingNotices(options);
    this.#refresh = new CompanionRefresh({ notices: this.#notices, problem: options.problem });
    // Possibly nobody is waiting when the connection closes.
    this.#over.promise.catch(() => undefined);
  }

  /** Sends the references for the QR codes. */
  start(): void {
    const content = this.#refs.map((ref) => ({ tag: 'ref', attrs: {}, content: Buffer.from(ref) }));
    this.#query('pair-device', [{ tag: 'pair-device', attrs: {}, content }]);
  }

  /** Whether its connection has ended. */
  get closed(): boolean {
    return this.#closed;
  }

  shows(qr: QrContent): boolean {
    return this.#refs.includes(qr.ref) && this.#options.noiseKey.equals(qr.noiseKey) && this.#options.identity.equals(qr.identity);
  }

  /** A phone has scanned this code. True when the network has asked the device for a new secret, so that the phone must scan again. */
  scanned(qr: QrContent): boolean {
    return this.#options.strictness.refreshAtScan && this.#refresh.demanded(qr);
  }

  /** Whether this is the code that must be scanned again. */
  showsAgain(qr: QrContent): boolean {
    return this.shows(qr) && this.#refresh.replaces(qr);
  }

  /** Whether this attempt waits for the owner of this number to enter a code. */
  waitsFor(number: string): boolean {
    return this.#offer?.number === number;
  }

  /** The network asks the device for another code in place of the current one. */
  refreshCode(manually: boolean): void {
    const offer = this.#offer;
    if (!offer) throw new Error('this attempt asked for no code');
    const attrs = { stage: 'refresh_code', ...(manually ? { force_manual_refresh: 'true' } : {}) };
    const content = [{ tag: 'link_code_pairing_ref', attrs: {}, content: offer.ref }];
    this.#notices.send('link_code_companion_reg', [{ tag: 'link_code_companion_reg', attrs, content }]);
  }

  /** A code was entered on the phone. Runs the exchange that agrees on the secret which is otherwise in the QR code. */
  async agreeByCode(account: Account, code: string): Promise<Buffer> {
    const offer = this.#offer;
    if (!offer) throw new Error('this attempt asked for no code');
    const exchange = await beginExchange(offer, code, account.phone.signal.key.keyPair);
    const answered = Promise.withResolvers<BinaryNode>();
    this.#onCodeAnswer = answered.resolve;
    const content = [
      { tag: 'link_code_pairing_wrapped_primary_ephemeral_pub', attrs: {}, content: exchange.wrappedKey },
      { tag: 'primary_identity_pub', attrs: {}, content: exchange.phone.public },
      { tag: 'link_code_pairing_ref', attrs: {}, content: offer.ref },
    ];
    const hello = (parts: BinaryNode[]) =>
      this.#notices.send('link_code_companion_reg', [
        { tag: 'link_code_companion_reg', attrs: { stage: 'primary_hello' }, content: parts },
      ]);
    // The real network also sends this notification without the phone's key. The device must acknowledge and ignore it.
    hello(content.slice(1));
    hello(content);
    const answer = await Promise.race([answered.promise, this.#over.promise]);
    // Both sides have now agreed on a secret, so a device that changes it after this cannot be linked.
    if (this.#options.strictness.refreshAtScan) this.#refresh.ask();
    return finishExchange(exchange, answer, this.#options.identity);
  }

  /** Links the device. Resolves when it has countersigned and was told to restart. */
  async link(account: Account, advSecret: Buffer): Promise<LinkedDevice> {
    const { connection, identity } = this.#options;
    await Promise.race([this.#notices.allAcknowledged(), this.#over.promise]);
    const cutAt = this.#options.cutAt();
    if (cutAt === 'before') connection.cut();
    const device = this.#options.createDevice(account);
    const issued = issueDeviceIdentity(account.phone.signal.key, identity, advSecret, device.keyIndex);
    const answered = Promise.withResolvers<BinaryNode>();
    this.#onIdentityAnswer = answered.resolve;
    this.#sendSuccess(account, device, issued);
    const answer = await Promise.race([answered.promise, this.#over.promise]);
    device.deviceIdentity = completeDeviceIdentity(issued, identity, requiredBytes(answer, 'device-identity'));
    this.#options.onLinked(device);
    if (cutAt === 'after') connection.cut();
    else connection.end(streamError(515));
    return device;
  }

  /** The network asks for the account's passkey before the phone links. At the end it calls `link` with the device's new secret. */
  askPasskey(account: Account, script: PasskeyScript, scannedSecret: Buffer, link: (advSecret: Buffer) => void): PasskeyPhone {
    const { noiseKey, identity, platform } = this.#options;
    const device = { noiseKey, identity, platform };
    this.#passkey = new PasskeyPhone({
      ...this.#options,
      ...{ authenticator: account.authenticator, script, notices: this.#notices, scannedSecret, device, link },
    });
    this.#passkey.start();
    return this.#passkey;
  }

  onNode(node: BinaryNode): void {
    if (node.tag === 'presence') this.#options.presence(node);
    if (node.tag === 'ack') this.#notices.onAck(node);
    if (node.tag !== 'iq') return;
    const signed = child(node, 'pair-device-sign');
    const registration = child(node, 'link_code_companion_reg');
    if (this.#passkey?.answer(node) === true) return;
    if (signed) this.#onIdentityAnswer?.(signed);
    else if (registration) this.#onRegistration(node, registration);
    else if (node.attrs.type === 'get' || node.attrs.type === 'set') this.#options.connection.send(resultOf(node));
  }

  onClosed(): void {
    this.#closed = true;
    this.#notices.close();
    this.#over.reject(new Error('the connection of the pairing attempt was closed'));
    this.#options.onClosed(this);
  }

  #onRegistration(query: BinaryNode, registration: BinaryNode): void {
    const { connection } = this.#options;
    const number = parseJid(registration.attrs.jid)?.user ?? '';
    switch (registration.attrs.stage) {
      case 'companion_hello': {
        if (!requiredBytes(registration, 'companion_server_auth_key_pub', 32).equals(this.#options.noiseKey))
          throw new Error('code asked for with another key');
        const ref = Buffer.from(`1@${randomBytes(16).toString('base64')}`);
        if (!isRealBrowser(requiredBytes(registration, 'companion_platform_display').toString())) {
          connection.send(errorOf(query, 400, 'bad-request'));
          return;
        }
        this.#offer = { ref, number, wrappedKey: requiredBytes(registration, 'link_code_pairing_wrapped_companion_ephemeral_pub', 80) };
        const content = [{ tag: 'link_code_pairing_ref', attrs: {}, content: ref }];
        connection.send(resultOf(query, [{ tag: 'link_code_companion_reg', attrs: { stage: 'companion_hello' }, content }]));
        this.#options.onCodeAsked();
        return;
      }
      case 'companion_finish': {
        const fits = this.#offer?.ref.equals(requiredBytes(registration, 'link_code_pairing_ref'));
        if (!fits || !requiredBytes(registration, 'companion_identity_public', 32).equals(this.#options.identity)) {
          connection.send(errorOf(query, 400, 'bad-request'));
          return;
        }
        connection.send(resultOf(query));
        this.#onCodeAnswer?.(registration);
        return;
      }
      default:
        connection.send(errorOf(query, 400, 'bad-request'));
    }
  }

  #sendSuccess(account: Account, device: LinkedDevice, issued: IssuedIdentity): void {
    const content = [
      { tag: 'device-identity', attrs: {}, content: issued.sealed },
      { tag: 'platform', attrs: { name: 'android' } },
      { tag: 'device', attrs: { jid: numberJid(account.number, device.id), lid: `${account.lid}:${device.id}@lid` } },
      ...clientPropsNode(account.tellsMigration ? account.migrated : null),
    ];
    this.#query('pair-success', [{ tag: 'pair-success', attrs: {}, content }]);
  }

  #query(id: string, content: BinaryNode[]): void {
    this.#options.connection.send({ tag: 'iq', attrs: { from: networkJid, type: 'set', id, t: nowSeconds(), xmlns: 'md' }, content });
  }
}

/** By code, the network links only devices that call themselves a browser on an operating system, as shown on the phone. */
function isRealBrowser(display: string): boolean {
  return /^(Chrome|Edge|Firefox|Internet Explorer|Opera|Safari) \((Android|Chrome OS|Linux|Mac OS|Ubuntu|Windows)\)$/.test(display);
}
