/** What is stored of a contact's token. */
export interface Tctoken {
  /** Empty where the contact has issued none. */
  readonly token: Uint8Array;
  /** When the contact issued it, in epoch seconds. */
  readonly timestamp?: string;
  /** When this account last issued the contact one, in epoch seconds. */
  readonly senderTimestamp?: number;
}

/**
 * The records of a number, with one token for each contact: under the LID where that is known, since a link looks for it there. Other programs keep
 * some under the number, and of some contacts two.
 */
export function mergeTctokens(records: ReadonlyMap<string, unknown>): Map<string, unknown> {
  const others = new Map<string, unknown>();
  const tctokens = new Map<string, Tctoken>();
  for (const [name, value] of records) {
    if (!name.startsWith('tctoken:')) {
      others.set(name, value);
      continue;
    }
    // Whoever read the records has checked it.
    const tctoken = value as Tctoken;
    if (tctoken.token.length === 0 && tctoken.senderTimestamp === undefined) continue;
    const [, pn] = /^tctoken:([0-9]+)@s\.whatsapp\.net$/.exec(name) ?? [];
    const lid = pn === undefined ? undefined : records.get(`lid-mapping:${pn}`);
    const mergedName = lid === undefined ? name : `tctoken:${lid}@lid`;
    const other = tctokens.get(mergedName);
    tctokens.set(mergedName, other === undefined ? tctoken : merged(other, tctoken));
  }
  return new Map<string, unknown>([...others, ...tctokens]);
}

function merged(a: Tctoken, b: Tctoken): Tctoken {
  const newer = issuedAt(b) > issuedAt(a) ? b : a;
  const senderTimestamp = Math.max(a.senderTimestamp ?? 0, b.senderTimestamp ?? 0);
  return { ...newer, ...(senderTimestamp > 0 ? { senderTimestamp } : {}) };
}

function issuedAt({ token, timestamp }: Tctoken): number {
  return token.length === 0 ? -1 : Number(timestamp ?? 0);
}
