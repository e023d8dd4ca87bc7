import type { BinaryNode } from 'baileys';
import type { Account } from './account.ts';
import type { Device } from './device.ts';
import { lidJid, numberJid, parseJid } from './jids.ts';
import { child, children } from './nodes.ts';

/** Error codes of the network. */
const malformed = '400';
const notReachable = '463';

/**
 * Why a message is refused because of its addresses; null when it is not. An account is addressed by phone number until it has migrated and by LID
 * afterwards, except to those who have no LID; a stanza never mixes the two. Sources: whatsmeow send.go, whatsapp-rust pull requests 636, 731 and 943, Baileys issue 2683.
 */
export function addressingRefusal(sender: Account, to: Account, node: BinaryNode): string | null {
  const space = parseJid(node.attrs.to)?.server;
  const spaces = children(child(node, 'participants'), 'to').map(({ attrs }) => parseJid(attrs.jid)?.server);
  if (spaces.some((other) => other !== space)) return malformed;
  if (node.attrs.recipient !== undefined && parseJid(node.attrs.recipient)?.server !== space) return malformed;
  if (space === 'lid') return sender.migrated ? null : malformed;
  return sender.migrated && to.hasLid ? notReachable : null;
}

/** The address of a device in the form that the owner of a connection gets. */
export function jidFor(owner: Account, device: Device): string {
  const { account, id } = device;
  return owner.migrated && account.hasLid ? lidJid(account.lid, id) : numberJid(account.number, id);
}

/** The address of a person in the same form. */
export function userFor(owner: Account, account: Account): string {
  return owner.migrated && account.hasLid ? lidJid(account.lid) : numberJid(account.number);
}
