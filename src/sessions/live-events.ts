import type { SendRecord } from '../accounts/index.ts';
import type { LiveFeed } from '../core/index.ts';
import type { NetworkName, NewChats, PasskeyState, Restriction } from '../networks/index.ts';
import type { Status } from './link-state.ts';

/** What is told live. Ids and small states only: a code that links a phone is asked for by its own request. */
export type LiveEvent = SessionEvent | { readonly type: 'send'; readonly send: SendRecord };

/** Events of instances, for listeners of their account and listeners of all accounts. */
export type SessionEvent =
  | { readonly type: 'instance_created' | 'instance_changed'; readonly instance: InstanceState }
  | { readonly type: 'instance_removed'; readonly instanceId: string }
  | ({ readonly type: 'pairing'; readonly instanceId: string } & PairingStep);

/** How a pairing attempt goes on. That it succeeded is told as the instance's new state. */
export type PairingStep =
  /** A code replaces the one before. `sequence` counts from 1 to `limit`; `expiresAt` is in epoch milliseconds. */
  | { readonly step: 'code'; readonly sequence: number; readonly limit: number; readonly expiresAt: number }
  /** Beside it there is a code to type on the phone now. */
  | { readonly step: 'typed_code' }
  /** The last code ran out. */
  | { readonly step: 'exhausted' }
  /** The network asks for a passkey instead of a scan, and this is how far that has come; after `failed` the attempt is over. */
  | { readonly step: 'passkey'; readonly stage: PasskeyState['stage'] }
  /** The number is already connected on another instance, which keeps it: the attempt is over. */
  | { readonly step: 'conflict' };

/** What can be seen of an instance. */
export interface InstanceState {
  readonly instanceId: string;
  readonly label: string | null;
  readonly status: Status;
  readonly phoneNumber: string | null;
  readonly network: NetworkName;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** No event follows when `until` has passed. */
  readonly restriction: Restriction | null;
  /** Not told again when its cycle has ended. */
  readonly newChats: NewChats | null;
}

/** Where sessions publish. */
export type SessionFeed = Pick<LiveFeed<SessionEvent>, 'publish'>;
