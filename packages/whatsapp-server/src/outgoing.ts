import { type BinaryNode, generateParticipantHashV2, jidNormalizedUser } from 'baileys';
import type { Account } from './account.ts';
import type { Device, Parcel } from './device.ts';
import { deviceJid } from './device.ts';
import { parseJid } from './jids.ts';
import type { LinkedDevice } from './linked-device.ts';
import { bytes, child, children } from './nodes.ts';

/** A message stanza from a linked device, parsed and checked. */
export interface Outgoing {
  readonly id: string;
  readonly to: Account;
  /** Copies for devices that exist. */
  readonly parcels: readonly { readonly target: Device; readonly parcel: Parcel }[];
  /** Devices for which the stanza should have had a copy. */
  readonly missing: readonly string[];
  /** Addresses for which it had a copy but which belong to no device. */
  readonly unknown: readonly string[];
  /** The hash that the network adds to the acknowledgement when its own list of devices differs. */
  readonly deviceHash: string | null;
}

/** Parses and checks a stanza. Throws, in plain words, when the real network would refuse it. `account` finds the account of an address. */
export function readOutgoing(sender: LinkedDevice, to: Account, node: BinaryNode, account: (jid: string) => Account | null): Outgoing {
  const id = node.attrs.id ?? '';
  const alone = child(node, 'enc');
  const addressed = alone
    ? [{ jid: node.attrs.to ?? '', enc: alone }]
    : children(child(node, 'participants'), 'to').map((entry) => ({ jid: entry.attrs.jid ?? '', enc: child(entry, 'enc') }));
  if (addressed.length === 0) throw new Error(`${id} has no encrypted content`);
  const target = (jid: string) => account(jid)?.device(parseJid(jid)?.device ?? 0) ?? null;
  const parcels = addressed.flatMap(({ jid, enc }) => {
    const device = target(jid);
    return device ? [{ target: device, parcel: parcelOf(sender, to, node, enc) }] : [];
  });
  const reached = new Set(parcels.map(({ target: device }) => device));
  const wanted = [...new Set([...to.devices, ...sender.account.devices])].filter((device) => device !== sender);
  const missing = alone || node.attrs.device_fanout === 'false' ? [] : wanted.filter((device) => !reached.has(device)).map(deviceJid);
  const unknown = addressed.filter(({ jid }) => target(jid) === null).map(({ jid }) => jid);
  const deviceHash = missing.length + unknown.length > 0 ? generateParticipantHashV2(wanted.map(deviceJid)) : null;
  return { id, to, parcels, missing, unknown, deviceHash };
}

function parcelOf(from: LinkedDevice, to: Account, node: BinaryNode, enc: BinaryNode | undefined): Parcel {
  const id = node.attrs.id ?? '';
  const type = enc?.attrs.type;
  const ciphertext = bytes(enc);
  if ((type !== 'pkmsg' && type !== 'msg') || !ciphertext) throw new Error(`${id} has an encrypted part of no known type`);
  const deviceIdentity = bytes(child(node, 'device-identity'));
  if (type === 'pkmsg' && !(deviceIdentity && from.deviceIdentity?.equals(deviceIdentity))) {
    throw new Error(`${id} starts a session without the device identity`);
  }
  const extras = children(node)
    .map(({ tag }) => tag)
    .filter((tag) => !['participants', 'enc', 'device-identity'].includes(tag));
  const reportingToken = bytes(child(child(node, 'reporting'), 'reporting_token'));
  const retry = Number(enc?.attrs.count ?? 0);
  const toJid = jidNormalizedUser(node.attrs.recipient ?? node.attrs.to);
  return {
    id,
    from,
    to,
    toJid,
    type,
    ciphertext,
    stanzaType: node.attrs.type ?? 'text',
    deviceIdentity,
    extras,
    reportingToken,
    retry,
    spoiled: false,
    token: null,
  };
}
