import { type BinaryNode, proto, type WAMessageContent } from 'baileys';
import { getMessageReportingToken, shouldIncludeReportingToken } from 'baileys/lib/Utils/reporting-utils.js';

const tokenVersion = 2;

/** Adds the secret that the reporting token is made with. Kinds without a token are returned unchanged. */
export function withReportingSecret(message: proto.IMessage, secret: Uint8Array): proto.IMessage {
  if (!shouldIncludeReportingToken(message)) return message;
  return { ...message, messageContextInfo: { messageSecret: secret, ...message.messageContextInfo, reportingTokenVersion: tokenVersion } };
}

/**
 * The reporting token: a child of the stanza with which a recipient can report the message without showing it. Its key is derived from id, sender and
 * recipient in this order (oxidezap/whatsapp-rust, reporting_token.rs). For a message of its own Baileys would use the recipient twice, so it is told
 * that the message is from a participant. null for a kind without a token.
 */
export function reportingNode(id: string, message: proto.IMessage, sender: string, recipient: string): Promise<BinaryNode | null> {
  if (!shouldIncludeReportingToken(message)) return Promise.resolve(null);
  const bytes = Buffer.from(proto.Message.encode(message).finish());
  return getMessageReportingToken(bytes, message as WAMessageContent, { id, fromMe: false, participant: sender, remoteJid: recipient });
}
