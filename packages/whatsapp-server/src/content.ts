import { proto, unpadRandomMax16 } from 'baileys';
import type { Parcel } from './device.ts';
import { numberJid } from './jids.ts';

/** Decodes a decrypted message and compares it with its envelope. Throws, in plain words, for what the real apps would not show. */
export function openContent(parcel: Parcel, owner: string, padded: Uint8Array): proto.IMessage {
  const outer = proto.Message.decode(unpadRandomMax16(padded));
  const copy = outer.deviceSentMessage;
  if (parcel.from.account.number !== owner) {
    if (copy) throw new Error('a message to somebody else is marked as a copy for own devices');
    return outer;
  }
  if (!copy?.message) throw new Error('a copy for own devices is not marked as such');
  const expected = parcel.toJid === null ? [numberJid(parcel.to.number), `${parcel.to.lid}@lid`] : [parcel.toJid];
  if (!expected.includes(copy.destinationJid ?? '')) throw new Error(`a copy for own devices names ${copy.destinationJid} as recipient`);
  return copy.message;
}

/** The bytes to encrypt: encoded and padded as in the apps. */
export function sealContent(message: proto.IMessage): Buffer {
  const encoded = proto.Message.encode(message).finish();
  const padding = 1 + (encoded.length % 16);
  return Buffer.concat([encoded, Buffer.alloc(padding, padding)]);
}
