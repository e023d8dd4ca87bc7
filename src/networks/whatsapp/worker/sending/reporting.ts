import { createHmac } from 'node:crypto';
import { type BinaryNode, hkdf, proto } from 'baileys';
import { onlyFields } from '../library/only-fields.ts';
import type { Shape } from '../library/protobuf-stream.ts';
import { reportingNode } from '../library/reporting-token.ts';

const keyBytes = 32;
const tokenBytes = 16;
/** What a token covers of a document with a caption: type, key, place and caption of the document in its wrapper. */
const covered: Shape = { within: { 53: { within: { 1: { within: { 7: { keep: [2, 7, 10, 20] } } } } } } };

/**
 * The reporting token of a message; null for a kind without one. Baileys (7.0.0-rc14, reporting-utils.js) makes it, except for a document with a
 * caption: it knows the wrapper and does not look into it. The covered fields are those of a document, in the wrapper.
 */
export async function reportingOf(id: string, message: proto.IMessage, sender: string, recipient: string): Promise<BinaryNode | null> {
  const secret = message.messageContextInfo?.messageSecret;
  if (message.documentWithCaptionMessage == null || !secret) return reportingNode(id, message, sender, recipient);
  const key = hkdf(secret, keyBytes, { info: `${id}${sender}${recipient}Report Token` });
  const content = onlyFields(proto.Message.encode(message).finish(), covered);
  const token = createHmac('sha256', key).update(content).digest().subarray(0, tokenBytes);
  return { tag: 'reporting', attrs: {}, content: [{ tag: 'reporting_token', attrs: { v: '2' }, content: token }] };
}
