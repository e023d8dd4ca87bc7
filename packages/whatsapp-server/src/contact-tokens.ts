import { createHmac, randomBytes } from 'node:crypto';
import { type BinaryNode, jidNormalizedUser } from 'baileys';
import type { Account } from './account.ts';
import { lidJid } from './jids.ts';
import { bytes, child, children } from './nodes.ts';

/** Error codes of the network. */
const unknownToRecipient = '463';
const malformed = '479';

const bucketSeconds = 604_800;
const validBuckets = 4;

/** A token that somebody gave an account. */
export interface ContactToken {
  readonly bytes: Buffer;
  /** When it was given, in epoch seconds. */
  readonly at: number;
}

/** The tokens of an account, which show that it knows others. */
export class ContactTokens {
  /** The key of the account's client-signed tokens, which its phone sends its companions; null when it has none. */
  salt: Buffer | null = randomBytes(32);
  /** Numbers whose owners have written to the account. */
  readonly heardFrom = new Set<string>();
  /** The tokens that others gave the account, by their numbers: the latest one and earlier ones. */
  readonly given = new Map<string, ContactToken[]>();

  /** `from` gives the account a new token. */
  give(from: Account, at: number): ContactToken {
    const token = { bytes: randomBytes(32), at };
    this.given.set(from.number, [token, ...(this.given.get(from.number) ?? [])]);
    return token;
  }
}

/**
 * Why a message is refused because its token is missing or wrong; null when it is not. Every message to somebody who has never written to the sender
 * needs a valid token, including repetitions. Sources: whatsmeow cstoken.go, zapo pull request 167, Baileys issues 2441 and 2707.
 */
export function tokenRefusal(sender: Account, to: Account, node: BinaryNode, now: number): string | null {
  const given = bytes(child(node, 'tctoken'));
  const signed = bytes(child(node, 'cstoken'));
  if (node.attrs.category === 'peer') return given || signed ? malformed : null;
  // What a device of the own account asks for again goes to that, whoever the message was for.
  if (node.attrs.recipient !== undefined) return null;
  // Nobody can sign a token over a LID that does not exist.
  if (to === sender || !to.hasLid) return null;
  if (given) return isGiven(sender, to, given, now) ? null : unknownToRecipient;
  if (signed) return isSigned(sender, [lidJid(to.lid), jidNormalizedUser(node.attrs.to)], signed) ? null : unknownToRecipient;
  return sender.tokens.heardFrom.has(to.number) ? null : unknownToRecipient;
}

/** The numbers (or LIDs) to which a device gives the sender's token; null when the query is about something else. */
export function issuedTo(query: BinaryNode): string[] | null {
  if (query.attrs.xmlns !== 'privacy' || query.attrs.type !== 'set') return null;
  return children(child(query, 'tokens'), 'token').map(({ attrs }) => attrs.jid ?? '');
}

/** `<tokens>` as in a notification or message. */
export function tokensNode({ bytes: content, at }: ContactToken): BinaryNode {
  return { tag: 'tokens', attrs: {}, content: [{ tag: 'token', attrs: { type: 'trusted_contact', t: String(at) }, content }] };
}

function isGiven(sender: Account, to: Account, token: Buffer, now: number): boolean {
  const oldest = (Math.floor(now / bucketSeconds) - (validBuckets - 1)) * bucketSeconds;
  return (sender.tokens.given.get(to.number) ?? []).some(({ bytes: known, at }) => known.equals(token) && at >= oldest);
}

/** Whether the token is signed over the recipient's LID, or over the earlier LID to which the message is addressed. */
function isSigned({ tokens: { salt } }: Account, lids: readonly string[], token: Buffer): boolean {
  return salt !== null && lids.some((lid) => createHmac('sha256', salt).update(lid).digest().equals(token));
}
