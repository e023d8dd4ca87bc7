/** What the server demands or refuses that a test may switch off, or that is a judgement of ours and nothing the real network was seen to do. */
export interface Strictness {
  /** The first scan of an attempt makes the network ask for a new secret (`companion_reg_refresh`); only a code with a new one links. */
  readonly refreshAtScan: boolean;
  /** Accounts have moved to LID addressing unless a test says otherwise, and tell it to companions that link. Off: none has. */
  readonly migratedAccounts: boolean;
  /** Somebody who has never written is written to with a valid token each time. Phones hand their companions what those need for it. Off: nobody asks. */
  readonly contactTokens: boolean;
  /** A question for a number is answered with the devices behind it when it asks for them. Off: devices are told only to who asks by JID. */
  readonly devicesByNumber: boolean;
}

/** As strict as the real network. */
export const strict: Strictness = { refreshAtScan: true, migratedAccounts: true, contactTokens: true, devicesByNumber: true };

/** For clients that know nothing of what the network has asked since the summer of 2026, such as plain Baileys. */
export const lenient: Strictness = { ...strict, refreshAtScan: false, migratedAccounts: false, contactTokens: false };
