import type { Actor } from '../../audit/index.ts';
import type { Restriction } from '../../networks/index.ts';
import type { Lease } from '../../store/index.ts';

/** Why a number that is still linked has no connection. `restart`: the network asked for a new connection. `proxy`: its proxy was changed. `start`: it was not back a minute after the gateway had started. */
export type LossReason = 'lost' | 'restart' | 'proxy' | 'start';

/** Why an attempt to link a phone failed. */
export type PairingFailure = 'codes_exhausted' | 'passkey' | 'conflict' | 'refused';

/** What happens to a number, as its session tells it. */
export type NumberEvent =
  /** A linked number begins to connect, because this process has just taken it. */
  | { readonly event: 'starting' }
  /** A linked number is connected. */
  | { readonly event: 'back' }
  /** A connected number lost its connection. `until`: the network refuses every login before that time. */
  | { readonly event: 'lost'; readonly detail: LossReason; readonly until: number | null }
  | { readonly event: 'linked' | 'taken_back' | 'disconnected' | 'deleted'; readonly actor: Actor }
  | { readonly event: 'restricted' | 'unrestricted'; readonly detail: Restriction['reason']; readonly until: number | null }
  /** Another program uses its credentials. */
  | { readonly event: 'parked' }
  /** The network said that its credentials are worth nothing. */
  | { readonly event: 'unlinked' | 'banned' | 'refused' }
  | { readonly event: 'pairing_failed'; readonly detail: PairingFailure; readonly note: string | null };

/** The number that something happens to. */
export interface ToldNumber {
  readonly id: string;
  readonly accountId: string;
  /** null: the store has one server only. */
  readonly lease: Lease | null;
}
