/** Rules that a test may switch off. Some are our own assumptions and were not observed on the real network. */
export interface Strictness {
  /** At the first scan of an attempt the network asks for a new secret (`companion_reg_refresh`), and only a code with a new one links. */
  readonly refreshAtScan: boolean;
  /** All accounts have moved to LID addressing, unless a test says otherwise, and tell companions that link. Off: none has. */
  readonly migratedAccounts: boolean;
  /**
   * Every message to a person who has never written needs a valid token. Phones send their companions what they need for it. Off: no token is needed.
   */
  readonly contactTokens: boolean;
  /** A query for a number is answered with its devices when it asks for them. Off: devices are only returned to queries by JID. */
  readonly devicesByNumber: boolean;
  /** A linked device never appears online: while one does, the phone shows no notifications. If one did, `close` rejects. */
  readonly neverOnline: boolean;
}

/** As strict as the real network. */
export const strict: Strictness = {
  refreshAtScan: true,
  migratedAccounts: true,
  contactTokens: true,
  devicesByNumber: true,
  neverOnline: true,
};

/** For clients without support for what the network has required since the summer of 2026, such as plain Baileys. */
export const lenient: Strictness = {
  ...strict,
  refreshAtScan: false,
  migratedAccounts: false,
  contactTokens: false,
  neverOnline: false,
};
