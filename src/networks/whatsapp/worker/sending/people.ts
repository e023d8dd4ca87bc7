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

/** The person with this JID in `a` and, where known, another in `b`. */
export function personOf(a: string, b?: string | null | undefined): Person {
  const jids = [a, b].filter((jid) => jid !== undefined && jid !== null).map((jid) => jidNormalizedUser(jid));
  return {
    lid: jids.find((jid) => isLidUser(jid) || isHostedLidUser(jid)) ?? null,
    pn: jids.find((jid) => isPnUser(jid) || isHostedPnUser(jid)) ?? null,
  };
}

/** The address of a person in a namespace; null when it has none there. */
export function jidIn(space: Space, { lid, pn }: Person): string | null {
  return space === 'lid' ? lid : pn;
}

/** The namespace of a person's JID. */
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

/** The JID of a number (digits). */
export function jidOf(number: string): string {
  return `${number}@s.whatsapp.net`;
}

/** The digits of a person's phone number JID; null for any other JID. */
export function digitsOf(jid: string | null): string | null {
  return jid === null ? null : (/^(\d+)(?::\d+)?@s\.whatsapp\.net$/.exec(jid)?.[1] ?? null);
}
