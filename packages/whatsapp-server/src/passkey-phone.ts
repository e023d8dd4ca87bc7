import { randomBytes } from 'node:crypto';
import { type BinaryNode, Curve, type KeyPair, proto } from 'baileys';
import type { Authenticator, RequestOptions } from './authenticator.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import { bytes, child, errorOf, requiredBytes, resultOf } from './nodes.ts';
import type { PairingNotices } from './pairing-notices.ts';
import { commitmentTo, expectedProof, openPairingRequest, shownCode } from './passkey-secrets.ts';

/** How a request for a passkey differs from the usual course. */
export interface PasskeyScript {
  /** Whether the options are sent along (default), have to be requested, or are missing. */
  readonly options?: 'sent' | 'to_ask_for' | 'missing';
  /** The request is sent twice. */
  readonly repeated?: boolean;
  /** The step after which the phone stops answering. */
  readonly stall?: 'assertion' | 'pairing_request';
  /** The step that the network refuses although nothing is wrong with it. */
  readonly refuse?: 'assertion' | 'nonce' | 'pairing_request';
  /** The phone's answer is malformed. */
  readonly garbled?: boolean;
}

export interface PasskeyPhoneOptions {
  readonly authenticator: Authenticator;
  readonly script: PasskeyScript;
  readonly connection: Connection;
  readonly notices: PairingNotices;
  readonly clock: Clock;
  readonly problem: (text: string) => void;
  /** The secret from the scanned code, or the one agreed on with a typed code. */
  readonly scannedSecret: Buffer;
  /** From the device's registration. */
  readonly device: { readonly noiseKey: Buffer; readonly identity: Buffer; readonly platform: number };
  /** Links the device with its new secret. */
  link(advSecret: Buffer): void;
}

const optionsMs = 600_000;
/** How long a proof of the scanned code is accepted, in milliseconds. */
const proofMs = 300_000;

interface Prologue {
  readonly identity: proto.CompanionEphemeralIdentity;
  readonly identityBytes: Uint8Array;
  readonly hash: Buffer;
  readonly phone: KeyPair;
  readonly phoneNonce: Buffer;
  readonly proven: boolean;
}

/** The network and the phone while a device is linked with a passkey. Each step is accepted once, in order; anything else is refused with 400. */
export class PasskeyPhone {
  readonly #options: PasskeyPhoneOptions;
  readonly #request: RequestOptions = { challenge: randomBytes(32).toString('base64url'), timeout: optionsMs, rpId: 'whatsapp.com' };
  readonly #ref = `3@${randomBytes(16).toString('base64')}`;
  readonly #askedAt: number;
  readonly #code = Promise.withResolvers<string>();
  #prologue: Prologue | null = null;
  #nonceFits = false;

  constructor(options: PasskeyPhoneOptions) {
    this.#options = options;
    this.#askedAt = options.clock.monotonic();
    this.#code.promise.catch(() => undefined);
  }

  /** The code that the phone shows for comparison, once it is known. */
  get code(): Promise<string> {
    return this.#code.promise;
  }

  start(): void {
    const { notices, script } = this.#options;
    const content = script.options === undefined || script.options === 'sent' ? [this.#optionsNode()] : [];
    const ask = () =>
      notices.send('passkey_prologue_request', [...content, { tag: 'dbsc_registration', attrs: {}, content: randomBytes(32) }]);
    ask();
    if (script.repeated === true) ask();
  }

  /** Answers a query of the device. False when it is not about passkeys. */
  answer(query: BinaryNode): boolean {
    const [asked] = Array.isArray(query.content) ? query.content : [];
    const answers: Readonly<Record<string, (node: BinaryNode) => BinaryNode>> = {
      passkey_request_options: () => this.#answerOptions(query),
      ref: () => resultOf(query, [{ tag: 'ref', attrs: {}, content: Buffer.from(this.#ref) }]),
      passkey_prologue: (node) => this.#prologueOf(query, node),
      companion_nonce: (node) => this.#nonce(query, node),
      encrypted_pairing_request: (node) => this.#pairingRequest(query, node),
    };
    const answer = asked === undefined ? undefined : answers[asked.tag];
    if (asked === undefined || answer === undefined) return false;
    let said: BinaryNode;
    try {
      said = answer(asked);
    } catch (error) {
      said = this.#refused(query, error instanceof Error ? error.message : String(error));
    }
    this.#options.connection.send(said);
    if (asked.tag === 'passkey_prologue' && said.attrs.type === 'result') this.#goOn();
    return true;
  }

  #answerOptions(query: BinaryNode): BinaryNode {
    return this.#options.script.options === 'missing' ? errorOf(query, 404, 'item-not-found') : resultOf(query, [this.#optionsNode()]);
  }

  #optionsNode(): BinaryNode {
    const options = { ...this.#request, allowCredentials: [], userVerification: 'required', extensions: { uvm: true } };
    return { tag: 'passkey_request_options', attrs: {}, content: Buffer.from(JSON.stringify(options)) };
  }

  #prologueOf(query: BinaryNode, node: BinaryNode): BinaryNode {
    const { authenticator, clock, scannedSecret, script } = this.#options;
    const age = clock.monotonic() - this.#askedAt;
    if (this.#prologue !== null) return this.#refused(query, 'the passkey was given twice');
    if (age >= optionsMs) return this.#refused(query, 'the request for the passkey has run out');
    const assertion = requiredBytes(node, 'webauthn_assertion').toString();
    const refusal = authenticator.refusal(requiredBytes(node, 'credential_id'), assertion, this.#request);
    if (refusal !== null) return this.#refused(query, refusal);
    const payload = requiredBytes(node, 'prologue_payload');
    const { companionEphemeralIdentity, commitment } = proto.ProloguePayload.decode(payload);
    const identityBytes = companionEphemeralIdentity ?? Buffer.of();
    const identity = proto.CompanionEphemeralIdentity.decode(identityBytes);
    if (identity.publicKey?.length !== 32) return this.#refused(query, 'the key of the device is none');
    if (identity.ref !== this.#ref) return this.#refused(query, 'the reference of the device is another');
    if (identity.deviceType !== this.#options.device.platform) return this.#refused(query, 'the device registered as another platform');
    const proof = bytes(child(node, 'pairing_handoff_proof'));
    // The proof uses the first secret, so a device that changes it more than once fails here.
    if (proof !== null && !proof.equals(expectedProof(scannedSecret, payload))) return this.#refused(query, 'the proof is wrong');
    if (proof !== null && age >= proofMs) return this.#refused(query, 'the proof has run out');
    if (script.refuse === 'assertion') return errorOf(query, 400, 'bad-request');
    const phone = Curve.generateKeyPair();
    const hash = Buffer.from(commitment?.hash ?? []);
    this.#prologue = { identity, identityBytes, hash, phone, phoneNonce: randomBytes(32), proven: proof !== null };
    return resultOf(query);
  }

  /** The phone has received the passkey and answers. */
  #goOn(): void {
    const { notices, script } = this.#options;
    if (this.#prologue === null || script.stall === 'assertion') return;
    const { phone, phoneNonce } = this.#prologue;
    const identity = proto.PrimaryEphemeralIdentity.encode({ publicKey: phone.public, nonce: phoneNonce }).finish();
    const content = script.garbled === true ? identity.subarray(5) : identity;
    notices.send('crsc_continuation', [{ tag: 'primary_ephemeral_identity', attrs: {}, content }]);
  }

  #nonce(query: BinaryNode, node: BinaryNode): BinaryNode {
    const nonce = bytes(node) ?? Buffer.of();
    if (this.#prologue === null || this.#nonceFits) return this.#refused(query, 'a nonce came at the wrong time');
    const { identityBytes, hash, phone, phoneNonce } = this.#prologue;
    if (nonce.length !== 32 || !commitmentTo(identityBytes, nonce).equals(hash)) {
      return this.#refused(query, 'the nonce is not the one that was committed to');
    }
    if (this.#options.script.refuse === 'nonce') return errorOf(query, 400, 'bad-request');
    this.#nonceFits = true;
    this.#code.resolve(shownCode(phoneNonce, phone.public, nonce));
    return resultOf(query);
  }

  #pairingRequest(query: BinaryNode, node: BinaryNode): BinaryNode {
    if (this.#prologue === null || !this.#nonceFits) return this.#refused(query, 'a pairing request came before the nonce');
    const { script, device, scannedSecret } = this.#options;
    const { identity, phone } = this.#prologue;
    const { encryptedPayload, iv } = proto.EncryptedPairingRequest.decode(bytes(node) ?? Buffer.of());
    const shared = Curve.sharedKey(phone.private, identity.publicKey ?? Buffer.of());
    const salt = `Companion Pairing ${identity.deviceType} with ref ${identity.ref}`;
    const request = proto.PairingRequest.decode(openPairingRequest(shared, salt, encryptedPayload ?? Buffer.of(), iv ?? Buffer.of()));
    if (!device.noiseKey.equals(request.companionPublicKey ?? Buffer.of()))
      return this.#refused(query, 'the Noise key is of another device');
    if (!device.identity.equals(request.companionIdentityKey ?? Buffer.of()))
      return this.#refused(query, 'the identity is of another device');
    const advSecret = Buffer.from(request.advSecret ?? []);
    if (advSecret.length !== 32 || advSecret.equals(scannedSecret)) return this.#refused(query, 'the secret was not replaced');
    if (script.refuse === 'pairing_request') return errorOf(query, 400, 'bad-request');
    if (script.stall !== 'pairing_request') this.#options.link(advSecret);
    return resultOf(query);
  }

  /** A wrong step ends the ceremony. That the real network answers with 400 is an assumption. */
  #refused(query: BinaryNode, why: string): BinaryNode {
    this.#options.problem(`linking with a passkey: ${why}`);
    return errorOf(query, 400, 'bad-request');
  }
}
