/** Who changes something. */
export type Actor =
  /** A user of the portal, named by the e-mail address. */
  | { readonly kind: 'user'; readonly id: string; readonly name: string }
  /** A request with this API key. */
  | { readonly kind: 'key'; readonly id: string }
  /** The person who runs commands on the gateway's machine. */
  | { readonly kind: 'command_line' }
  /** The gateway itself. */
  | { readonly kind: 'system' };

/** Who acts, and when (epoch milliseconds). */
export interface Act {
  readonly actor: Actor;
  readonly now: number;
}
