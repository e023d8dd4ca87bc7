import type { KeyPair } from 'baileys';

/**
 * One-time keys are stored in blocks. A number has more than 800 of them, and as single records they would be most of the store. A block is a list of
 * entries: the key's number (4 bytes), then the lengths (1 byte each) and bytes of its two halves.
 */
const keysPerBlock = 32;

export function blockOf(keyId: string): string {
  return String(Math.floor(Number(keyId) / keysPerBlock));
}

export function decodeBlock(block: Uint8Array | null): Map<string, KeyPair> {
  const keys = new Map<string, KeyPair>();
  if (block === null) return keys;
  const bytes = Buffer.from(block);
  let offset = 0;
  const take = (): Buffer => {
    const length = bytes.readUInt8(offset);
    const part = bytes.subarray(offset + 1, offset + 1 + length);
    offset += 1 + length;
    return part;
  };
  while (offset < bytes.length) {
    const id = bytes.readUInt32BE(offset);
    offset += 4;
    keys.set(String(id), { public: take(), private: take() });
  }
  return keys;
}

/** The block with these keys; null when there are none. */
export function encodeBlock(keys: ReadonlyMap<string, KeyPair>): Uint8Array | null {
  if (keys.size === 0) return null;
  const parts: Uint8Array[] = [];
  for (const [id, pair] of keys) {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(Number(id));
    head.writeUInt8(pair.public.length, 4);
    parts.push(head, pair.public, Buffer.of(pair.private.length), pair.private);
  }
  return Buffer.concat(parts);
}
