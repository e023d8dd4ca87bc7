import type { InstanceState, PairingStep, SessionFeed } from './live-events.ts';
import type { Session } from './session.ts';

/** Publishes the visible changes of one instance, each state only once. */
export class InstanceNews {
  readonly #session: Session;
  readonly #feed: SessionFeed;
  #told: InstanceState;

  /** The current state counts as published. */
  constructor(session: Session, feed: SessionFeed) {
    this.#session = session;
    this.#feed = feed;
    this.#told = stateOf(session);
  }

  created(): void {
    this.#feed.publish(this.#session.accountId, { type: 'instance_created', instance: this.#told });
  }

  /** Publishes the state if it has changed. */
  changed(): void {
    const state = stateOf(this.#session);
    if (isSame(state, this.#told)) return;
    this.#told = state;
    this.#feed.publish(this.#session.accountId, { type: 'instance_changed', instance: state });
  }

  pairing(step: PairingStep): void {
    this.#feed.publish(this.#session.accountId, { type: 'pairing', instanceId: this.#session.id, ...step });
  }
}

/** Publishes that what is stored of these numbers has changed and can be read: one event per account. */
export function publishStored(feed: SessionFeed, numbers: readonly { readonly id: string; readonly accountId: string }[]): void {
  for (const [accountId, own] of Map.groupBy(numbers, (number) => number.accountId))
    feed.publish(accountId, { type: 'numbers_stored', instanceIds: [...new Set(own.map(({ id }) => id))] });
}

/** The visible state of an instance. */
export function stateOf({ id, label, status, phoneNumber, network, createdAt, restriction, newChats }: Session): InstanceState {
  return { instanceId: id, label, status, phoneNumber, network: network.name, createdAt, restriction, newChats };
}

function isSame(a: InstanceState, b: InstanceState): boolean {
  return (
    a.label === b.label &&
    a.status === b.status &&
    a.phoneNumber === b.phoneNumber &&
    a.restriction?.reason === b.restriction?.reason &&
    a.restriction?.until === b.restriction?.until &&
    a.newChats?.used === b.newChats?.used &&
    a.newChats?.quota === b.newChats?.quota &&
    a.newChats?.cycleEndsAt === b.newChats?.cycleEndsAt
  );
}
