import type { BinaryNode } from 'baileys';
import { networkJid } from './jids.ts';

export function children(node: BinaryNode | undefined, tag?: string): BinaryNode[] {
  if (!node || !Array.isArray(node.content)) return [];
  return tag === undefined ? node.content : node.content.filter((child) => child.tag === tag);
}

export function child(node: BinaryNode | undefined, tag: string): BinaryNode | undefined {
  return children(node, tag)[0];
}

/** The bytes of a node with binary or text content; null otherwise. */
export function bytes(node: BinaryNode | undefined): Buffer | null {
  if (typeof node?.content === 'string') return Buffer.from(node.content);
  return node?.content instanceof Uint8Array ? Buffer.from(node.content) : null;
}

/** The bytes of a child; throws when it is missing or has another length. */
export function requiredBytes(node: BinaryNode | undefined, tag: string, length?: number): Buffer {
  const found = bytes(child(node, tag));
  if (!found) throw new Error(`<${node?.tag ?? 'nothing'}> lacks <${tag}>`);
  if (length !== undefined && found.length !== length) throw new Error(`<${tag}> has ${found.length} bytes instead of ${length}`);
  return found;
}

export function uintOf(value: Uint8Array): number {
  return value.reduce((sum, byte) => sum * 256 + byte, 0);
}

export function uintBytes(value: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  buffer.writeUIntBE(value, 0, length);
  return buffer;
}

/** The answer to a query. */
export function resultOf(query: BinaryNode, content?: BinaryNode[]): BinaryNode {
  const attrs = { type: 'result', id: query.attrs.id ?? '', from: networkJid };
  return content ? { tag: 'iq', attrs, content } : { tag: 'iq', attrs };
}

export function errorOf(query: BinaryNode, code: number, text: string): BinaryNode {
  return {
    tag: 'iq',
    attrs: { type: 'error', id: query.attrs.id ?? '', from: networkJid },
    content: [{ tag: 'error', attrs: { code: String(code), text } }],
  };
}

export function nowSeconds(): string {
  return String(Math.floor(Date.now() / 1000));
}
