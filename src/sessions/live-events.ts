import { isDeepStrictEqual } from 'node:util';
import type { LiveFeed } from '../core/index.ts';
import type { Network, NetworkName, NewChats, PasskeyState, Restriction } from '../networks/index.ts';
import type { SendRecord } from '../requests/index.ts';
import type { InstanceRow } from '../store/index.ts';
import type { Status } from './connection-state.ts';
import { storedNewChats, storedRestriction } from './network-limits.ts';

/** The live events, each published when what it is about can be read. They carry ids and small states only; a pairing code must be fetched by its own request. */
export type LiveEvent = SessionEvent | { readonly type: 'send'; readonly send: SendRecord };

/** Events of instances, for listeners of their account and listeners of all accounts. */
export type SessionEvent =
  | { readonly type: 'instance_created' | 'instance_changed'; readonly instance: InstanceState }
  | { readonly type: 'instance_removed'; readonly instanceId: string }
  /** What is stored of these numbers has changed: their history, or for pages of all servers the state of their connections. */
  | { readonly type: 'numbers_stored'; readonly instanceIds: readonly string[] }
  | ({ readonly type: 'pairing'; readonly instanceId: string } & PairingStep);

/** The steps of a pairing attempt. Its success is published as the instance's new state. */
export type PairingStep =
  /** A new code replaces the previous one. `sequence` counts from 1 to `limit`; `expiresAt` is in epoch milliseconds. */
  | { readonly step: 'code'; readonly sequence: number; readonly limit: number; readonly expiresAt: number }
  /** There is now also a code to type on the phone. */
  | { readonly step: 'typed_code' }
  /** The last code ran out. */
  | { readonly step: 'exhausted' }
  /** The network asks for a passkey instead of a scan; `stage` says how far that is. After `failed` the attempt is over. */
  | { readonly step: 'passkey'; readonly stage: PasskeyState['stage'] }
  /** The number is already connected on another instance, which keeps it. The attempt is over. */
  | { readonly step: 'conflict' };

export interface InstanceState {
  readonly instanceId: string;
  readonly label: string | null;
  readonly status: Status;
  readonly phoneNumber: string | null;
  readonly network: NetworkName;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** No event is published when `until` has passed. */
  readonly restriction: Restriction | null;
  /** No event is published when its cycle has ended. */
  readonly newChats: NewChats | null;
}

export type SessionFeed = Pick<LiveFeed<SessionEvent>, 'publish'>;

/** What the visible state of an instance is made of. */
type Shown = Omit<InstanceState, 'instanceId' | 'network'> & { readonly id: string; readonly accountId: string; readonly network: Network };

export function stateOf({ id, label, status, phoneNumber, network, createdAt, restriction, newChats }: Shown): InstanceState {
  return { instanceId: id, label, status, phoneNumber, network: network.name, createdAt, restriction, newChats };
}

/** The state of an instance that no session here tells. */
export function storedState(row: InstanceRow, status: Status, now: number): InstanceState {
  return {
    instanceId: row.id,
    label: row.label,
    status,
    phoneNumber: row.phone_number,
    network: row.network as NetworkName,
    createdAt: row.created_at,
    restriction: storedRestriction(row, now),
    newChats: storedNewChats(row, now),
  };
}

/** Publishes the visible state of an instance at each call after which it differs. The current one counts as published. */
export function createStatePublisher(session: Shown, feed: SessionFeed): () => void {
  let published = stateOf(session);
  return () => {
    const state = stateOf(session);
    if (isDeepStrictEqual(state, published)) return;
    published = state;
    feed.publish(session.accountId, { type: 'instance_changed', instance: state });
  };
}

/** Publishes that what is stored of these numbers has changed and can be read: one event per account. */
export function publishStored(feed: SessionFeed, numbers: readonly { readonly id: string; readonly accountId: string }[]): void {
  for (const [accountId, own] of Map.groupBy(numbers, (number) => number.accountId))
    feed.publish(accountId, { type: 'numbers_stored', instanceIds: [...new Set(own.map(({ id }) => id))] });
}
