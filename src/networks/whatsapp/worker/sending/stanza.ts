import { type BinaryNode, encodeSignedDeviceIdentity, type proto } from 'baileys';
import type { WhatsAppMessage } from '../encoding/index.ts';
import type { Sealed } from './sealing.ts';

interface StanzaParts {
  readonly id: string;
  /** JID of the chat. */
  readonly to: string;
  readonly encoded: WhatsAppMessage;
  readonly sealed: Sealed;
  /** What proves this device to a recipient that has no session with it yet. */
  readonly account: proto.IADVSignedDeviceIdentity | undefined;
  /** The recipient's proof that it knows this number; null when it gave none. */
  readonly privacyToken: Uint8Array | null;
}

/** The stanza of a message, ready for the wire. */
export function messageStanza({ id, to, encoded, sealed, account, privacyToken }: StanzaParts): BinaryNode {
  const { type, mediaType, hiddenWhenUndecryptable, nodes = [] } = encoded;
  const participants = sealed.parts.map(({ device, ciphertext }) => ({
    tag: 'to',
    attrs: { jid: device.jid },
    content: [
      {
        tag: 'enc',
        attrs: {
          v: '2',
          type: ciphertext.type,
          ...(mediaType === undefined ? {} : { mediatype: mediaType }),
          ...(hiddenWhenUndecryptable ? { 'decrypt-fail': 'hide' } : {}),
        },
        content: ciphertext.bytes,
      },
    ],
  }));
  const content: BinaryNode[] = [{ tag: 'participants', attrs: {}, content: participants }];
  if (account !== undefined && sealed.parts.some(({ ciphertext }) => ciphertext.type === 'pkmsg')) {
    content.push({ tag: 'device-identity', attrs: {}, content: encodeSignedDeviceIdentity(account, true) });
  }
  if (privacyToken !== null) content.push({ tag: 'tctoken', attrs: {}, content: privacyToken });
  content.push(...nodes);
  return { tag: 'message', attrs: { id, to, type }, content };
}
