import type { BinaryNode } from 'baileys';
import { bytes, child, requiredBytes, uintBytes, uintOf } from './nodes.ts';

const keyBundleType = Buffer.from([5]);

export interface PublicPreKey {
  readonly id: number;
  /** 32 bytes. */
  readonly key: Buffer;
}

export interface SignedPublicPreKey extends PublicPreKey {
  readonly signature: Buffer;
}

/** The keys needed to start a Signal session with a device. */
export interface KeyBundle {
  readonly registrationId: number;
  readonly identity: Buffer;
  readonly signed: SignedPublicPreKey;
  /** A one-time key; null when the device has none left. */
  readonly once: PublicPreKey | null;
}

/** The bundle as the network sends it, under the requested address. */
export function bundleNode(jid: string, bundle: KeyBundle): BinaryNode {
  const content: BinaryNode[] = [
    { tag: 'registration', attrs: {}, content: uintBytes(bundle.registrationId, 4) },
    { tag: 'type', attrs: {}, content: keyBundleType },
    { tag: 'identity', attrs: {}, content: bundle.identity },
    { tag: 'skey', attrs: {}, content: [...keyContent(bundle.signed), { tag: 'signature', attrs: {}, content: bundle.signed.signature }] },
  ];
  if (bundle.once) content.push({ tag: 'key', attrs: {}, content: keyContent(bundle.once) });
  return { tag: 'user', attrs: { jid }, content };
}

/** The bundle as a retry receipt contains it. */
export function keysNode({ identity, signed, once }: KeyBundle): BinaryNode {
  const content: BinaryNode[] = [
    { tag: 'type', attrs: {}, content: keyBundleType },
    { tag: 'identity', attrs: {}, content: identity },
    ...(once === null ? [] : [{ tag: 'key', attrs: {}, content: keyContent(once) }]),
    { tag: 'skey', attrs: {}, content: [...keyContent(signed), { tag: 'signature', attrs: {}, content: signed.signature }] },
  ];
  return { tag: 'keys', attrs: {}, content };
}

export function readPreKey(node: BinaryNode | undefined): PublicPreKey {
  return { id: uintOf(requiredBytes(node, 'id', 3)), key: requiredBytes(node, 'value', 32) };
}

export function readSignedPreKey(node: BinaryNode | undefined): SignedPublicPreKey {
  return { ...readPreKey(node), signature: requiredBytes(node, 'signature', 64) };
}

/** The key bundle in a retry receipt; null when it has none. */
export function readRetryKeys(receipt: BinaryNode): KeyBundle | null {
  const keys = child(receipt, 'keys');
  const registration = bytes(child(receipt, 'registration'));
  if (!keys || !registration) return null;
  return {
    registrationId: uintOf(registration),
    identity: requiredBytes(keys, 'identity', 32),
    signed: readSignedPreKey(child(keys, 'skey')),
    once: readPreKey(child(keys, 'key')),
  };
}

function keyContent(key: PublicPreKey): BinaryNode[] {
  return [
    { tag: 'id', attrs: {}, content: uintBytes(key.id, 3) },
    { tag: 'value', attrs: {}, content: key.key },
  ];
}
