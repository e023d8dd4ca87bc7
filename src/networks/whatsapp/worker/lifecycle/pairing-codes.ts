import { randomBytes } from 'node:crypto';
import {
  type AuthenticationCreds,
  type BinaryNode,
  buildPairingQRData,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type WABrowserDescription,
} from 'baileys';

const secretBytes = 32;

/** The contents of one attempt's QR codes: a reference from the network, this device's keys, and the secret that seals its identity. */
export class PairingCodes {
  readonly #creds: AuthenticationCreds;
  readonly #browser: WABrowserDescription;
  #refs: readonly string[] = [];
  #settled = false;

  constructor(creds: AuthenticationCreds, browser: WABrowserDescription) {
    this.#creds = creds;
    this.#browser = browser;
  }

  /** The codes for the references in the network's `pair-device` stanza, in the order in which they are shown. */
  of(stanza: BinaryNode): string[] {
    this.#refs = getBinaryNodeChildren(getBinaryNodeChild(stanza, 'pair-device'), 'ref').flatMap(({ content }) =>
      content instanceof Uint8Array ? [Buffer.from(content).toString('utf8')] : [],
    );
    return this.#drawn();
  }

  /** The codes for the same references with a new secret; null when the secret must not change any more. */
  withNewSecret(): string[] | null {
    if (this.#settled || this.#refs.length === 0) return null;
    this.#creds.advSecretKey = randomBytes(secretBytes).toString('base64');
    return this.#drawn();
  }

  /** From now on the secret stays, because the phone seals its answer with it and another one would make the link fail. */
  settle(): void {
    this.#settled = true;
  }

  #drawn(): string[] {
    const noise = Buffer.from(this.#creds.noiseKey.public).toString('base64');
    const identity = Buffer.from(this.#creds.signedIdentityKey.public).toString('base64');
    return this.#refs.map((ref) => buildPairingQRData(ref, noise, identity, this.#creds.advSecretKey, this.#browser));
  }
}
