import { randomBytes } from 'node:crypto';
import {
  type AuthenticationCreds,
  type BinaryNode,
  Browsers,
  buildAckStanza,
  buildPairingQRData,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  NACK_REASONS,
  proto,
  S_WHATSAPP_NET,
  type WASocket,
} from 'baileys';
import type { PasskeyEvent } from '../../protocol.ts';
import type { WorkerLog } from '../library/library-log.ts';
import { takeOver } from '../library/web-socket.ts';
import { isLidMigrated } from './network-notices.ts';
import { PasskeyCeremony } from './passkey/ceremony.ts';

/** Receives the events of a pairing attempt. */
export interface PairingListener {
  /** The contents of the attempt's QR codes. Called again when the network asks for a new secret; the references stay the same. */
  codes(codes: readonly string[]): void;
  /** The network has replaced the code that is typed on the phone. */
  typedCode(code: string): void;
  /** The progress of linking with a passkey. */
  passkey(event: PasskeyEvent): void;
}

interface PairingOptions {
  readonly sock: WASocket;
  readonly creds: AuthenticationCreds;
  readonly log: WorkerLog;
  readonly listener: PairingListener;
}

export const browser = Browsers.macOS('Chrome');
/** The device type that Baileys registers for that browser. */
const deviceType = proto.DeviceProps.PlatformType.CHROME;
const notification = 'CB:notification';
const secretBytes = 32;
/** How long the network may take to answer a request for a code to type, in milliseconds. */
const answerMs = 5_000;

/**
 * One pairing attempt over a connection: its QR codes, its code to type, and the passkey. Acknowledges the notifications to a device that is not
 * logged in yet. Baileys (7.0.0-rc14, `sendMessageAck` in messages-recv.js) reads the account's own address for every acknowledgement. There is none
 * before the login, so it would throw and acknowledge nothing, and the network would let the link fail. Only the exchange of a typed code is left to
 * Baileys, which answers and acknowledges it.
 */
export class Pairing {
  readonly passkey: PasskeyCeremony;
  readonly #options: PairingOptions;
  readonly #library: ReturnType<typeof takeOver>;
  /** The network's references for the QR codes. */
  #refs: readonly string[] = [];
  /** Whether the secret stays, because the phone seals its answer with it and another one would make the link fail. */
  #settled = false;
  #phoneNumber: string | null = null;
  /** The network's reference for the code to type. */
  #typedRef: Uint8Array | null = null;

  constructor(options: PairingOptions) {
    const { sock, creds, listener } = options;
    this.#options = options;
    this.passkey = new PasskeyCeremony({ sock, creds, deviceType, onEvent: (event) => listener.passkey(event) });
    this.#library = takeOver(sock.ws, notification);
    sock.ws.on(notification, (node: BinaryNode) => this.#notified(node));
    sock.ws.on('CB:iq,type:set,pair-device', (stanza: BinaryNode) => {
      const refs = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'pair-device'), 'ref');
      this.#refs = refs.flatMap(({ content }) => (content instanceof Uint8Array ? [Buffer.from(content).toString('utf8')] : []));
      this.#showCodes();
    });
    sock.ws.prependListener('CB:iq,,pair-success', (stanza: BinaryNode) => {
      this.#settled = true;
      const migrated = isLidMigrated(stanza);
      // An account fact. The library changes the credentials next, with which it is stored.
      if (migrated !== null) creds.additionalData = { ...creds.additionalData, migrated };
    });
  }

  /** A code to type on the phone with this number (digits). Rejects when the network refuses to link that number by a code. */
  async requestCode(phoneNumber: string): Promise<string> {
    const { sock } = this.#options;
    this.#phoneNumber = phoneNumber;
    const { promise: answered, resolve, reject } = Promise.withResolvers<void>();
    const refused = () => reject(new Error('the network refused a pairing code for this number'));
    const accepted = (answer: BinaryNode) => {
      this.#typedRef = typedRefIn(answer);
      resolve();
    };
    // Baileys sends the request under an id that it does not reveal and does not wait for the answer.
    sock.ws.once('CB:iq,type:error', refused);
    sock.ws.once('CB:iq,type:result,link_code_companion_reg', accepted);
    const timer = setTimeout(resolve, answerMs);
    try {
      const [code] = await Promise.all([sock.requestPairingCode(phoneNumber), answered]);
      return code;
    } finally {
      clearTimeout(timer);
      sock.ws.off('CB:iq,type:error', refused);
      sock.ws.off('CB:iq,type:result,link_code_companion_reg', accepted);
    }
  }

  #notified(node: BinaryNode): void {
    const { type, from } = node.attrs;
    const exchange = getBinaryNodeChild(node, 'link_code_companion_reg');
    // The network also sends this notification without the phone's key; it then means nothing (whatsmeow, pull request 1188).
    const phoneKey = getBinaryNodeChild(exchange, 'link_code_pairing_wrapped_primary_ephemeral_pub')?.content;
    // WhatsApp Web: WASmaxInMdRefreshCodeNotifyCompanionRequest.
    const asksForCode = exchange?.attrs.stage === 'refresh_code';
    const isFromServer = from === S_WHATSAPP_NET;
    if (isFromServer && type === 'link_code_companion_reg' && !asksForCode && phoneKey instanceof Uint8Array) {
      // The code was typed on the phone. From now on both sides agree on a secret of their own.
      this.#settled = true;
      for (const listen of this.#library) listen(node);
      return;
    }
    const asksForRefresh = ['companion_reg_refresh', 'pair-device-rotate-qr'].some((tag) => getBinaryNodeChild(node, tag) !== undefined);
    const isMalformed = isFromServer && type === 'companion_reg_refresh' && !asksForRefresh;
    // A closing connection cannot acknowledge anything.
    this.#options.sock.sendNode(buildAckStanza(node, isMalformed ? NACK_REASONS.ParsingError : undefined)).catch(() => undefined);
    if (!isFromServer || isMalformed) return;
    if (type === 'link_code_companion_reg' && asksForCode) this.#refreshTypedCode(node);
    if (type === 'companion_reg_refresh') this.#refreshSecret();
    if (type === 'passkey_prologue_request') {
      this.#settled = true;
      void this.passkey.requested(node);
    }
    if (type === 'crsc_continuation') void this.passkey.continued(node);
  }

  /** The scanning phone wants a code with a new secret. */
  #refreshSecret(): void {
    if (this.#settled || this.#refs.length === 0) return;
    this.#options.creds.advSecretKey = randomBytes(secretBytes).toString('base64');
    this.#showCodes();
  }

  /** The network asks for another code in place of the one with the notification's reference, because it was shown for too long or the owner wants it. */
  #refreshTypedCode(node: BinaryNode): void {
    const ref = typedRefIn(node);
    if (this.#phoneNumber === null || ref === null || this.#typedRef === null || Buffer.compare(ref, this.#typedRef) !== 0) return;
    const { log, listener } = this.#options;
    this.requestCode(this.#phoneNumber).then(
      (code) => listener.typedCode(code),
      (error: unknown) => log.warn(error, 'the network gave no other pairing code'),
    );
  }

  /** Each code holds a reference from the network, this device's keys, and the secret that seals its identity. */
  #showCodes(): void {
    const { creds, listener } = this.#options;
    const noise = Buffer.from(creds.noiseKey.public).toString('base64');
    const identity = Buffer.from(creds.signedIdentityKey.public).toString('base64');
    listener.codes(this.#refs.map((ref) => buildPairingQRData(ref, noise, identity, creds.advSecretKey, browser)));
  }
}

function typedRefIn(node: BinaryNode): Uint8Array | null {
  const ref = getBinaryNodeChild(getBinaryNodeChild(node, 'link_code_companion_reg'), 'link_code_pairing_ref')?.content;
  return ref instanceof Uint8Array ? ref : null;
}
