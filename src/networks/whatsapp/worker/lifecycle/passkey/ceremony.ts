import { randomBytes } from 'node:crypto';
import { type AuthenticationCreds, type BinaryNode, Curve, getBinaryNodeChild, proto, S_WHATSAPP_NET, type WASocket } from 'baileys';
import type { GivenPasskey, PasskeyEvent } from '../../../protocol.ts';
import { confirmationCode, handoffKey, handoffProof, pairingKey, prologuePayload, sealedPairingRequest } from './derivations.ts';

const optionsBytes = 4096;
const nonceBytes = 32;
const secretBytes = 32;
const ivBytes = 12;

/** What has been exchanged since the passkey was given. */
interface Exchange {
  readonly keyPair: { readonly private: Uint8Array; readonly public: Uint8Array };
  readonly nonce: Buffer;
  readonly ref: string;
  /** Whether the phone gets a proof that this is the device it scanned. If so, nobody has to compare codes. */
  readonly proven: boolean;
  /** Set once the phone has answered. */
  key: Buffer | null;
}

interface CeremonyOptions {
  readonly sock: Pick<WASocket, 'query'>;
  readonly creds: AuthenticationCreds;
  /** The `DeviceProps.PlatformType` that this device has registered. */
  readonly deviceType: number;
  onEvent(event: PasskeyEvent): void;
}

/**
 * This device's part in linking with a passkey, which the network asks of some accounts. The steps follow whatsmeow's pair-passkey.go. The main
 * thread limits how long each stage may take. At the end the network sends `pair-success` as after any scan.
 */
export class PasskeyCeremony {
  readonly #options: CeremonyOptions;
  #handoff: Buffer | null = null;
  #exchange: Exchange | null = null;

  constructor(options: CeremonyOptions) {
    this.#options = options;
  }

  /** True once the network has asked for the passkey. */
  get begun(): boolean {
    return this.#handoff !== null;
  }

  /** The network asks for the passkey (`passkey_prologue_request`). It may ask again, with other options. */
  async requested(notification: BinaryNode): Promise<void> {
    if (this.#exchange !== null) return;
    if (this.#handoff === null) {
      const { creds } = this.#options;
      this.#handoff = handoffKey(Buffer.from(creds.advSecretKey, 'base64'));
      // Changed only once: the proof needs the scanned secret, and the phone gets the new one at the end.
      creds.advSecretKey = randomBytes(secretBytes).toString('base64');
    }
    const options = optionsIn(notification) ?? (await this.#askedOptions());
    if (this.#exchange !== null) return;
    this.#options.onEvent(options === null ? { type: 'passkey_failed', failure: 'no_options' } : { type: 'passkey_requested', options });
  }

  /** A person has given the passkey. Never rejects; the network's reaction is reported as an event. */
  async sign({ credentialId, assertion, prove }: GivenPasskey): Promise<void> {
    if (this.#handoff === null || this.#exchange !== null) return;
    const keyPair = Curve.generateKeyPair();
    const nonce = randomBytes(nonceBytes);
    await this.#attempt(async () => {
      const answer = await this.#iq('get', { tag: 'ref', attrs: {} });
      const ref = textOf(getBinaryNodeChild(answer, 'ref'));
      if (ref === null) throw new Error('the network gave no reference');
      const prologue = prologuePayload({ publicKey: keyPair.public, deviceType: this.#options.deviceType, ref }, nonce);
      const proof = prove && this.#handoff !== null ? [bytesNode('pairing_handoff_proof', handoffProof(this.#handoff, prologue))] : [];
      // The phone may continue before the network has answered.
      this.#exchange = { keyPair, nonce, ref, proven: prove, key: null };
      await this.#iq('set', {
        tag: 'passkey_prologue',
        attrs: {},
        content: [
          bytesNode('credential_id', credentialId),
          bytesNode('webauthn_assertion', Buffer.from(assertion)),
          bytesNode('prologue_payload', prologue),
          ...proof,
        ],
      });
      if (this.#exchange?.key === null) this.#options.onEvent({ type: 'passkey_signed' });
    });
  }

  /** The phone continues (`crsc_continuation`). */
  async continued(notification: BinaryNode): Promise<void> {
    const exchange = this.#exchange;
    if (exchange === null || exchange.key !== null) return;
    const phone = phoneIdentityIn(notification);
    if (phone === null) return this.#options.onEvent({ type: 'passkey_failed', failure: 'not_understood' });
    const shared = Curve.sharedKey(exchange.keyPair.private, phone.publicKey);
    exchange.key = pairingKey(shared, { deviceType: this.#options.deviceType, ref: exchange.ref });
    await this.#attempt(async () => {
      await this.#iq('set', bytesNode('companion_nonce', exchange.nonce));
      if (exchange.proven) return this.#finish(exchange.key);
      this.#options.onEvent({ type: 'passkey_code', code: confirmationCode(phone, exchange.nonce) });
    });
  }

  /** A person has compared the codes. Never rejects. */
  async confirm(): Promise<void> {
    const key = this.#exchange?.key ?? null;
    if (key !== null) await this.#attempt(() => this.#finish(key));
  }

  async #finish(key: Buffer | null): Promise<void> {
    if (key === null) return;
    const { noiseKey, signedIdentityKey, advSecretKey } = this.#options.creds;
    const device = {
      noiseKey: noiseKey.public,
      identityKey: signedIdentityKey.public,
      advSecret: Buffer.from(advSecretKey, 'base64'),
    };
    // Reported first, because the phone may have linked before the network's answer arrives.
    this.#options.onEvent({ type: 'passkey_confirmed' });
    await this.#iq('set', bytesNode('encrypted_pairing_request', sealedPairingRequest(key, randomBytes(ivBytes), device)));
  }

  async #attempt(step: () => Promise<void>): Promise<void> {
    try {
      await step();
    } catch {
      // The network answered with an error or not at all. The meaning of its error codes is not known.
      this.#options.onEvent({ type: 'passkey_failed', failure: 'refused' });
    }
  }

  async #askedOptions(): Promise<string | null> {
    try {
      return optionsIn(await this.#iq('get', { tag: 'passkey_request_options', attrs: {} }));
    } catch {
      return null;
    }
  }

  async #iq(type: 'get' | 'set', content: BinaryNode): Promise<BinaryNode> {
    const answer: BinaryNode | undefined = await this.#options.sock.query({
      tag: 'iq',
      attrs: { to: S_WHATSAPP_NET, type, xmlns: 'md' },
      content: [content],
    });
    if (answer === undefined) throw new Error('the network did not answer');
    return answer;
  }
}

function bytesNode(tag: string, content: Uint8Array): BinaryNode {
  return { tag, attrs: {}, content };
}

function textOf(node: BinaryNode | undefined): string | null {
  if (typeof node?.content === 'string') return node.content;
  return node?.content instanceof Uint8Array ? Buffer.from(node.content).toString('utf8') : null;
}

/** The WebAuthn request options as JSON text; null when there are none or they cannot be read. */
function optionsIn(stanza: BinaryNode): string | null {
  const text = textOf(getBinaryNodeChild(stanza, 'passkey_request_options'));
  if (text === null || text.length > optionsBytes) return null;
  try {
    const options: unknown = JSON.parse(text);
    return typeof options === 'object' && options !== null && 'challenge' in options && typeof options.challenge === 'string' ? text : null;
  } catch {
    return null;
  }
}

function phoneIdentityIn(stanza: BinaryNode): { publicKey: Uint8Array; nonce: Uint8Array } | null {
  const content = getBinaryNodeChild(stanza, 'primary_ephemeral_identity')?.content;
  if (!(content instanceof Uint8Array)) return null;
  try {
    const { publicKey, nonce } = proto.PrimaryEphemeralIdentity.decode(content);
    return publicKey?.length === 32 && nonce?.length === 32 ? { publicKey, nonce } : null;
  } catch {
    return null;
  }
}
