/** What the server demands or refuses that a test may switch off, or that is a judgement of ours and nothing the real network was seen to do. */
export interface Strictness {
  /** The first scan of an attempt makes the network ask for a new secret (`companion_reg_refresh`); only a code with a new one links. */
  readonly refreshAtScan: boolean;
}

/** As strict as the real network. */
export const strict: Strictness = { refreshAtScan: true };
