import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto';

/** WebAuthn request options as JSON, as far as they are used here. */
export interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
  readonly timeout: number;
}

/** Wrong values with which a passkey may be used. */
export interface Elsewhere {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
}

const webOrigin = 'https://web.whatsapp.com';
/** User present and verified, as the network requires. */
const flags = 0x05;

/** A person's passkey for WhatsApp, on the phone or in a browser. */
export class Authenticator {
  readonly credentialId = randomBytes(16);
  readonly #userHandle = randomBytes(16);
  readonly #key: KeyObject = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

  /** What `credentials.get()` followed by `toJSON()` gives on WhatsApp's page. */
  sign(options: RequestOptions, elsewhere: Elsewhere = {}) {
    const { origin = webOrigin, rpId = options.rpId, challenge = options.challenge } = elsewhere;
    const clientData = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge, origin, crossOrigin: false }));
    const authenticatorData = Buffer.concat([sha256(rpId), Buffer.of(flags), Buffer.of(0, 0, 0, 1)]);
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), this.#key);
    return {
      id: this.credentialId.toString('base64url'),
      rawId: this.credentialId.toString('base64url'),
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: this.#userHandle.toString('base64url'),
      },
    };
  }

  /** For a browser's virtual authenticator (`WebAuthn.addCredential` of the DevTools protocol). */
  forBrowser(rpId: string) {
    const privateKey = this.#key.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    const ids = { credentialId: this.credentialId.toString('base64'), userHandle: this.#userHandle.toString('base64') };
    return { ...ids, isResidentCredential: true, rpId, privateKey, signCount: 0 };
  }

  /** Why the network refuses this credential; null when it accepts it. */
  refusal(credentialId: Buffer, assertion: string, options: RequestOptions): string | null {
    const { rawId, type, response } = JSON.parse(assertion);
    const clientData = Buffer.from(response.clientDataJSON, 'base64url');
    const authenticatorData = Buffer.from(response.authenticatorData, 'base64url');
    const said = JSON.parse(clientData.toString());
    if (type !== 'public-key' || !Buffer.from(rawId, 'base64url').equals(credentialId)) return 'the ids of the credential differ';
    if (!credentialId.equals(this.credentialId)) return 'the passkey is not of this account';
    if (said.type !== 'webauthn.get' || said.origin !== webOrigin) return 'the passkey was used on another page';
    if (!Buffer.from(said.challenge, 'base64url').equals(Buffer.from(options.challenge, 'base64url'))) return 'the challenge is another';
    if (!authenticatorData.subarray(0, 32).equals(sha256(options.rpId))) return 'the passkey is of another site';
    if (((authenticatorData[32] ?? 0) & flags) !== flags) return 'nobody was present or verified';
    const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
    const genuine = verify('sha256', signed, createPublicKey(this.#key), Buffer.from(response.signature, 'base64url'));
    return genuine ? null : 'the signature is not of this passkey';
  }
}

function sha256(content: Uint8Array | string): Buffer {
  return createHash('sha256').update(content).digest();
}
