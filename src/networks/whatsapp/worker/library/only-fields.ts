import type { Shape } from './protobuf-stream.ts';

/** A Protocol Buffers message with nothing but the wanted fields, as they are. Throws when it is malformed. */
export function onlyFields(message: Uint8Array, { keep = [], within = {} }: Shape): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < message.length) {
    const tag = varint(message, at);
    const field = Math.floor(tag.value / 8);
    const content = contentAt(message, tag.end, tag.value % 8);
    if (content.end > message.length) throw new Error('a message broke off');
    const inner = within[field];
    if (keep.includes(field)) parts.push(message.subarray(at, content.end));
    else if (inner !== undefined) {
      const wanted = onlyFields(message.subarray(content.start, content.end), inner);
      parts.push(message.subarray(at, tag.end), encodedVarint(wanted.length), wanted);
    }
    at = content.end;
  }
  return Buffer.concat(parts);
}

function contentAt(message: Uint8Array, at: number, type: number): { readonly start: number; readonly end: number } {
  switch (type) {
    case 0:
      return { start: at, end: varint(message, at).end };
    case 1:
      return { start: at, end: at + 8 };
    case 2: {
      const length = varint(message, at);
      return { start: length.end, end: length.end + length.value };
    }
    case 5:
      return { start: at, end: at + 4 };
    default:
      throw new Error(`a field has the unknown type ${type}`);
  }
}

function varint(message: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start, shift = 1; shift <= 2 ** 63; at++, shift *= 128) {
    const byte = message[at];
    if (byte === undefined) throw new Error('a message broke off');
    value += (byte & 0x7f) * shift;
    if (byte <= 0x7f) return { value, end: at + 1 };
  }
  throw new Error('a number is too long');
}

function encodedVarint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
