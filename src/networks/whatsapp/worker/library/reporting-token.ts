import { type BinaryNode, proto, type WAMessageContent } from 'baileys';
import { getMessageReportingToken, shouldIncludeReportingToken } from 'baileys/lib/Utils/reporting-utils.js';

const tokenVersion = 2;

/** The message with the secret that its reporting token is made with; kinds that carry no token are left as they are. */
export function withReportingSecret(message: proto.IMessage, secret: Uint8Array): proto.IMessage {
  if (!shouldIncludeReportingToken(message)) return message;
  return { ...message, messageContextInfo: { messageSecret: secret, ...message.messageContextInfo, reportingTokenVersion: tokenVersion } };
}

/**
 * What lets a recipient report a message without showing it: a child of its stanza. The key comes from id, sender and recipient in this order
 * (oxidezap/whatsapp-rust, reporting_token.rs), which is why Baileys is told that the message is from a participant: for one of its own it would
 * name the recipient twice. null for a kind that carries none.
 */
export function reportingNode(id: string, message: proto.IMessage, sender: string, recipient: string): Promise<BinaryNode | null> {
  if (!shouldIncludeReportingToken(message)) return Promise.resolve(null);
  const bytes = Buffer.from(proto.Message.encode(message).finish());
  return getMessageReportingToken(bytes, message as WAMessageContent, { id, fromMe: false, participant: sender, remoteJid: recipient });
}
