import type { BinaryNode } from 'baileys';
import type { Account } from './account.ts';
import { jidFor, userFor } from './addressing.ts';
import type { Parcel, Receipt } from './device.ts';
import { lidJid, numberJid } from './jids.ts';
import { keysNode } from './key-bundle.ts';
import { nowSeconds, uintBytes } from './nodes.ts';

/** A stream error in the network's own form: conflicts have no code, except for a removed device. */
export function streamError(code: number, conflict?: string): BinaryNode {
  const type = conflict ?? (code === 440 ? 'replaced' : code === 401 ? 'device_removed' : null);
  const attrs = code === 440 ? {} : { code: String(code) };
  return type === null ? { tag: 'stream:error', attrs } : { tag: 'stream:error', attrs, content: [{ tag: 'conflict', attrs: { type } }] };
}

/** A parcel as a device linked by code gets it. */
export function messageNode(owner: Account, parcel: Parcel): BinaryNode {
  const { from, id, type, ciphertext, stanzaType, retry, deviceIdentity, token } = parcel;
  const count = retry > 0 ? { count: String(retry) } : {};
  const content: BinaryNode[] = [{ tag: 'enc', attrs: { v: '2', type, ...count }, content: ciphertext }];
  if (deviceIdentity && type === 'pkmsg') content.push({ tag: 'device-identity', attrs: {}, content: deviceIdentity });
  if (token) content.push({ tag: 'tctoken', attrs: { t: String(token.at) }, content: token.bytes });
  const attrs = { id, from: jidFor(owner, from), type: stanzaType, t: nowSeconds(), ...otherAddress(owner, parcel) };
  return { tag: 'message', attrs: { ...attrs, ...recipientOf(owner, parcel) }, content };
}

/** The address of the other person of the chat in the other form: of the recipient in a copy from another device of the same account. */
function otherAddress(owner: Account, { from, to }: Parcel): Record<string, string> {
  const isCopy = from.account === owner;
  const { hasLid, lid, number } = isCopy ? to : from.account;
  if (!hasLid) return {};
  const whose = isCopy ? 'peer_recipient' : 'sender';
  return owner.migrated ? { [`${whose}_pn`]: numberJid(number) } : { [`${whose}_lid`]: lidJid(lid) };
}

/** A receipt as a device linked by code gets it. */
export function receiptNode(owner: Account, receipt: Receipt): BinaryNode {
  const { id, from, type, retry, registrationId } = receipt;
  const attrs = { id, from: jidFor(owner, from), t: nowSeconds(), ...recipientOf(owner, receipt) };
  if (type !== 'retry') return { tag: 'receipt', attrs: type === 'read' ? { ...attrs, type } : attrs };
  const content: BinaryNode[] = [
    { tag: 'retry', attrs: { count: String(retry), id, t: nowSeconds(), v: '1' } },
    { tag: 'registration', attrs: {}, content: uintBytes(registrationId, 4) },
  ];
  if (receipt.keys !== null) content.push(keysNode(receipt.keys));
  return { tag: 'receipt', attrs: { ...attrs, type: 'retry' }, content };
}

/** Copies of messages from another device of the same account name their recipient. */
export function recipientOf(owner: Account, stanza: Parcel | Receipt): { recipient?: string } {
  return stanza.from.account === owner ? { recipient: userFor(owner, stanza.to) } : {};
}
