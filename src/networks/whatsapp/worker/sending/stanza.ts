import { type BinaryNode, encodeSignedDeviceIdentity, type proto } from 'baileys';
import type { WhatsAppMessage } from '../encoding/encoded-message.ts';
import type { Ciphertext } from '../library/batch-encryption.ts';
import type { Sealed } from './encrypt.ts';
import type { Asked } from './receipts/retry-receipt.ts';
import type { Recipient } from './recipients.ts';

/** Whom a message is for: everybody, devices that did not get it at first, or the one device that has asked for it again. */
export type Audience = 'all' | 'missed' | Asked;

interface StanzaParts {
  readonly id: string;
  readonly to: Pick<Recipient, 'jid' | 'space' | 'person'>;
  readonly encoded: WhatsAppMessage;
  readonly sealed: Sealed;
  readonly audience: Audience;
  /** Proves this device's identity to a recipient that has no SignalSession with it yet. */
  readonly account: proto.IADVSignedDeviceIdentity | undefined;
  /** The token that shows the network that the two know each other; null when there is none. */
  readonly token: BinaryNode | null;
}

/** Builds the stanza of a message. */
export function messageStanza({ id, to, encoded, sealed, audience, account, token }: StanzaParts): BinaryNode {
  const { type, nodes = [] } = encoded;
  const again = typeof audience === 'string' ? null : audience;
  const encrypted = sealed.parts.map(({ ciphertext }) => encryptedNode(encoded, ciphertext, again?.count ?? 0));
  const content: BinaryNode[] =
    again === null
      ? [{ tag: 'participants', attrs: {}, content: encrypted.map((node, place) => addressed(sealed.parts[place]?.device.jid, node)) }]
      : [...encrypted];
  if (account !== undefined && sealed.parts.some(({ ciphertext }) => ciphertext.type === 'pkmsg')) {
    content.push({ tag: 'device-identity', attrs: {}, content: encodeSignedDeviceIdentity(account, true) });
  }
  if (token !== null) content.push(token);
  // As in the web client, a repetition for one device carries no reporting token.
  content.push(...nodes.filter(({ tag }) => again === null || tag !== 'reporting'));
  const attrs = {
    ...{ id, to: again?.device ?? to.jid, type },
    ...(again === null ? peerOf(to) : {}),
    ...(audience === 'all' ? {} : { device_fanout: 'false' }),
    ...again?.copied,
  };
  return { tag: 'message', attrs, content };
}

/** The recipient's address in the other namespace, which WhatsApp's own client adds too. */
function peerOf({ space, person: { lid, pn } }: StanzaParts['to']): Record<string, string> {
  if (space === 'lid') return pn === null ? {} : { peer_recipient_pn: pn };
  return lid === null ? {} : { peer_recipient_lid: lid };
}

function addressed(jid: string | undefined, node: BinaryNode): BinaryNode {
  return { tag: 'to', attrs: { jid: jid ?? '' }, content: [node] };
}

/** `count`: how often the device has asked for the message; 0 the first time it is sent. */
function encryptedNode({ mediaType, hiddenWhenUndecryptable }: WhatsAppMessage, { type, bytes }: Ciphertext, count: number): BinaryNode {
  const attrs = {
    ...{ v: '2', type },
    ...(count === 0 ? {} : { count: String(count) }),
    ...(mediaType === undefined ? {} : { mediatype: mediaType }),
    ...(hiddenWhenUndecryptable ? { 'decrypt-fail': 'hide' } : {}),
  };
  return { tag: 'enc', attrs, content: bytes };
}
