import { BufferJSON, Curve, initAuthCreds } from 'baileys';

/** What Baileys keeps in `creds.json` of a linked number; its keys belong together. */
export function credsJson(number: string): string {
  const creds = initAuthCreds();
  const { signedIdentityKey: identity } = creds;
  const [details, accountSignatureKey] = [Buffer.alloc(12, 7), Buffer.alloc(32, 7)];
  const deviceSignature = Curve.sign(identity.private, Buffer.concat([Buffer.of(6, 1), details, identity.public, accountSignatureKey]));
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const account = {
    details: base64(details),
    accountSignatureKey: base64(accountSignatureKey),
    accountSignature: base64(Buffer.alloc(64, 7)),
    deviceSignature: base64(deviceSignature),
  };
  const me = { id: `${number}:4@s.whatsapp.net`, lid: '100000000000001:4@lid', name: 'Ada' };
  return JSON.stringify({ ...creds, me, account }, BufferJSON.replacer);
}
