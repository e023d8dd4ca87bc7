/** The user part of a JID, without device and server: digits of a phone number or of a LID. */
export function userOf(jid: string): string {
  const end = jid.search(/[:@]/);
  return end === -1 ? jid : jid.slice(0, end);
}

/** The device number in a JID; 0, which is the phone, when it names none. */
export function deviceOf(jid: string): number {
  return Number(/:(\d+)@/.exec(jid)?.[1] ?? 0);
}
