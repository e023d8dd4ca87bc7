import {
  type AuthenticationCreds,
  type BinaryNode,
  buildPairingQRData,
  getBinaryNodeChild,
  getBinaryNodeChildren,
  type WABrowserDescription,
} from 'baileys';

/** What the QR codes of an attempt hold, from the network's `pair-device` stanza: one for each reference, in the order they are to be shown. */
export function pairingCodes(stanza: BinaryNode, creds: AuthenticationCreds, browser: WABrowserDescription): string[] {
  const noise = Buffer.from(creds.noiseKey.public).toString('base64');
  const identity = Buffer.from(creds.signedIdentityKey.public).toString('base64');
  return getBinaryNodeChildren(getBinaryNodeChild(stanza, 'pair-device'), 'ref').flatMap(({ content }) => {
    if (!(content instanceof Uint8Array)) return [];
    return [buildPairingQRData(Buffer.from(content).toString('utf8'), noise, identity, creds.advSecretKey, browser)];
  });
}
