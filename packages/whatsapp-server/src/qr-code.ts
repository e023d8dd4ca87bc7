/** The contents of the QR code of a device that wants to be linked. */
export interface QrContent {
  readonly ref: string;
  readonly noiseKey: Buffer;
  readonly identity: Buffer;
  /** Seals the device's identity, so that only a phone that has seen the code can link it. */
  readonly advSecret: Buffer;
}

/** Reads a linking code. Throws for anything but four parts (and the platform), three of them keys of 32 bytes. */
export function readQrCode(code: string): QrContent {
  const [ref = '', ...keys] = code.slice(code.indexOf('#') + 1).split(',');
  const [noiseKey, identity, advSecret] = keys.map((key) => Buffer.from(key, 'base64'));
  const fits = (key: Buffer | undefined): key is Buffer => key?.length === 32;
  if (ref === '' || !fits(noiseKey) || !fits(identity) || !fits(advSecret)) throw new Error('this is not a linking code');
  return { ref, noiseKey, identity, advSecret };
}

/** Like `readQrCode`; null for anything but a linking code. */
export function qrCodeIn(text: string): QrContent | null {
  try {
    return readQrCode(text);
  } catch {
    return null;
  }
}
