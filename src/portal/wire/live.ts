import type { NumberView } from './operator.ts';
import type { RequestView } from './sending.ts';

/**
 * GET /portal/api/events: server-sent events of the acting account (for an operator or provider admin who acts for none: of all theirs, numbers only).
 * EventSource sets no headers, so here `?account_id=` stands for X-Account-Id, and `?last_event_id=` for Last-Event-ID. Each event has an id; a browser that comes back sends
 * the last one and gets what it missed, or `reset` when that is too long ago; so does a page with the id that came with its first answer. 429: too many streams of this person, or of this account.
 */
export type LiveEvent =
  /** First on every stream that does not go on where one broke off: reload lists once, then apply what follows. */
  | { readonly event: 'reset'; readonly data: Record<string, never> }
  | { readonly event: 'instance'; readonly data: LiveInstance }
  | { readonly event: 'instance_removed'; readonly data: { readonly instance_id: string; readonly account_id: string } }
  /** What is stored of these numbers has changed and can be read, such as their history: ask for it again. */
  | { readonly event: 'numbers_stored'; readonly data: { readonly instance_ids: readonly string[]; readonly account_id: string } }
  /** Something in the pairing attempt moved: ask qr-status. */
  | { readonly event: 'pairing'; readonly data: PairingView }
  /** A send, once the activity list has it. */
  | { readonly event: 'activity'; readonly data: RequestView };

/** As a list item of GET /v1/instances; `restriction` only while the network holds the number back. */
export interface LiveInstance
  extends Pick<NumberView, 'instance_id' | 'account_id' | 'label' | 'status' | 'phone_number' | 'network' | 'created_at' | 'new_chats'> {
  readonly connected: boolean;
  readonly restriction?: NonNullable<NumberView['restriction']> | undefined;
}

/** Also GET /portal/api/pairings/{instance_id}: how long the code that is shown right now lives; both times null while there is none. */
export interface PairingView {
  readonly instance_id: string;
  readonly account_id: string;
  readonly code_shown_at: string | null;
  readonly code_expires_at: string | null;
  /** The server's time of this answer: what is left of the code counts from here, whatever the browser's clock shows. */
  readonly told_at?: string;
}
