import { createHmac } from 'node:crypto';
import { type BinaryNode, hkdf, proto, type WAMessageContent } from 'baileys';
import { getMessageReportingToken, shouldIncludeReportingToken } from 'baileys/lib/Utils/reporting-utils.js';

const tokenVersion = 2;

/** Adds the secret that the reporting token is made with. Kinds without a token are returned unchanged. */
export function withReportingSecret(message: proto.IMessage, secret: Uint8Array): proto.IMessage {
  if (!shouldIncludeReportingToken(message)) return message;
  return { ...message, messageContextInfo: { messageSecret: secret, ...message.messageContextInfo, reportingTokenVersion: tokenVersion } };
}

/**
 * The reporting token: a child of the stanza with which a recipient can report the message without showing it. Its key is derived from id, sender and
 * recipient in this order (oxidezap/whatsapp-rust, reporting_token.rs). For a message of its own Baileys would use the recipient twice, so it is passed
 * the message as one from a participant. null for a kind without a token.
 */
export async function reportingNode(id: string, message: proto.IMessage, sender: string, recipient: string): Promise<BinaryNode | null> {
  if (!shouldIncludeReportingToken(message)) return null;
  const secret = message.messageContextInfo?.messageSecret;
  const document = message.documentWithCaptionMessage?.message?.documentMessage;
  if (!document || !secret) {
    const bytes = Buffer.from(proto.Message.encode(message).finish());
    return getMessageReportingToken(bytes, message as WAMessageContent, { id, fromMe: false, participant: sender, remoteJid: recipient });
  }
  // Baileys (7.0.0-rc14) knows the wrapper of a document with a caption and does not look into it. The token covers these fields of the document.
  const { mimetype = null, mediaKey = null, directPath = null, caption = null } = document;
  const covered = { documentWithCaptionMessage: { message: { documentMessage: { mimetype, mediaKey, directPath, caption } } } };
  const key = hkdf(secret, 32, { info: `${id}${sender}${recipient}Report Token` });
  const token = createHmac('sha256', key).update(proto.Message.encode(covered).finish()).digest().subarray(0, 16);
  return { tag: 'reporting', attrs: {}, content: [{ tag: 'reporting_token', attrs: { v: String(tokenVersion) }, content: token }] };
}
