import { isHostedLidUser, isHostedPnUser, isLidUser, isPnUser, jidDecode, jidEncode, jidNormalizedUser } from 'baileys';

/** A namespace of addresses. All addresses in one stanza are in the same namespace. */
export type Space = 'lid' | 'pn';

/** The addresses of a person: user JIDs without a device. At least one is known. */
export interface Person {
  readonly lid: string | null;
  readonly pn: string | null;
}

/** A device of a person. Its JID depends on the namespace. */
export interface DeviceId {
  readonly id: number;
  /** True for a device on Meta's servers, not on a person's phone or computer. */
  readonly hosted: boolean;
}

export interface Device {
  /** Its address in the message's namespace. */
  readonly jid: string;
  /** Its Signal address, under which its SignalRecord is stored: by LID in both namespaces. */
  readonly address: string;
}

/** A person as the recipient of a message, with all devices. Each device had a SignalSession when it was looked up. */
export interface Recipient {
  /** The address of `person` in the namespace. */
  readonly jid: string;
  readonly space: Space;
  readonly person: Person;
  readonly devices: readonly Device[];
}

/** Why a message cannot go to a number. */
export type Unreachable = 'not_on_network' | 'no_device';

/** The person with this JID in `a` and, where known, another in `b`. */
export function personOf(a: string, b?: string | null | undefined): Person {
  const jids = [a, b].filter((jid) => jid !== undefined && jid !== null).map((jid) => jidNormalizedUser(jid));
  return {
    lid: jids.find((jid) => isLidUser(jid) || isHostedLidUser(jid)) ?? null,
    pn: jids.find((jid) => isPnUser(jid) || isHostedPnUser(jid)) ?? null,
  };
}

export function spaceOf(jid: string): Space {
  return personOf(jid).lid === null ? 'pn' : 'lid';
}

/** The name under which a person is remembered: the LID if it is known, as for SignalSessions and tokens. */
export function nameOf({ lid, pn }: Person): string {
  return lid ?? pn ?? '';
}

/** The address of a person's device in the namespace of `jid`, the person's own address. */
export function deviceJid(jid: string, { id, hosted }: DeviceId): string {
  const { user = '', server = 's.whatsapp.net' } = jidDecode(jid) ?? {};
  if (!hosted) return jidEncode(user, server, id);
  return jidEncode(user, server === 'lid' ? 'hosted.lid' : 'hosted', id);
}

/** The user part of a JID, without device and server: digits of a phone number or of a LID. */
export function userOf(jid: string): string {
  const end = jid.search(/[:@]/);
  return end === -1 ? jid : jid.slice(0, end);
}

/** The device number in a JID; 0, which is the phone, when it names none. */
export function deviceOf(jid: string): number {
  return Number(/:(\d+)@/.exec(jid)?.[1] ?? 0);
}

/** The digits of a person's phone number JID; null for any other JID. */
export function digitsOf(jid: string | null): string | null {
  return jid === null ? null : (/^(\d+)(?::\d+)?@s\.whatsapp\.net$/.exec(jid)?.[1] ?? null);
}
