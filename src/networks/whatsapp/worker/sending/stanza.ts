import { type BinaryNode, encodeSignedDeviceIdentity, type proto } from 'baileys';
import type { WhatsAppMessage } from '../encoding/encoded-message.ts';
import type { Ciphertext } from '../library/batch-encryption.ts';
import type { Device, Recipient } from './people.ts';
import type { RetryRequest } from './receipts/retry-receipt.ts';

/** Whom a message is for: everybody, devices that did not get it at first, or the one device that has asked for it again. */
export type Audience = 'all' | 'missed' | RetryRequest;

/** A message with everything that is needed to encrypt and write it. */
export interface Ready {
  readonly id: string;
  readonly recipient: Recipient;
  /** The sender's other devices, which show sent messages too. */
  readonly own: readonly Device[];
  readonly message: WhatsAppMessage;
  /** The `tctoken` or `cstoken`; null when there is none. */
  readonly token: BinaryNode | null;
  readonly audience: Audience;
}

export interface Copy {
  readonly device: Device;
  readonly ciphertext: Ciphertext;
}

/** Builds the stanza of a message. `account` proves this device's identity to a recipient that has no SignalSession with it yet. */
export function messageStanza(
  { id, recipient, message, token, audience }: Ready,
  copies: readonly Copy[],
  account: proto.IADVSignedDeviceIdentity | undefined,
): BinaryNode {
  const again = typeof audience === 'string' ? null : audience;
  const encrypted = copies.map(({ device, ciphertext }) => {
    const node = encNode(message, ciphertext, again?.count ?? 0);
    return again === null ? { tag: 'to', attrs: { jid: device.jid }, content: [node] } : node;
  });
  const content: BinaryNode[] = again === null ? [{ tag: 'participants', attrs: {}, content: encrypted }] : encrypted;
  if (account !== undefined && copies.some(({ ciphertext }) => ciphertext.type === 'pkmsg')) {
    content.push({ tag: 'device-identity', attrs: {}, content: encodeSignedDeviceIdentity(account, true) });
  }
  if (token !== null) content.push(token);
  // As in the web client, a retry for one device carries no reporting token.
  for (const node of message.nodes ?? []) if (again === null || node.tag !== 'reporting') content.push(node);
  const attrs = {
    ...{ id, to: again?.device ?? recipient.jid, type: message.type },
    ...(again === null ? peerOf(recipient) : {}),
    ...(audience === 'all' ? {} : { device_fanout: 'false' }),
    ...again?.copied,
  };
  return { tag: 'message', attrs, content };
}

/** The recipient's address in the other namespace, which WhatsApp's own client adds too. */
function peerOf({ space, person: { lid, pn } }: Recipient): Record<string, string> {
  if (space === 'lid') return pn === null ? {} : { peer_recipient_pn: pn };
  return lid === null ? {} : { peer_recipient_lid: lid };
}

/** `count`: how often the device has asked for the message; 0 the first time it is sent. */
function encNode({ mediaType, hiddenWhenUndecryptable }: WhatsAppMessage, { type, bytes }: Ciphertext, count: number): BinaryNode {
  const attrs = {
    ...{ v: '2', type },
    ...(count === 0 ? {} : { count: String(count) }),
    ...(mediaType === undefined ? {} : { mediatype: mediaType }),
    ...(hiddenWhenUndecryptable ? { 'decrypt-fail': 'hide' } : {}),
  };
  return { tag: 'enc', attrs, content: bytes };
}
