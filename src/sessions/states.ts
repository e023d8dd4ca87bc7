import type { Links } from '../accounts/index.ts';
import type { PeerHandler, Peers } from '../coordination/index.ts';
import type { Clock, Log } from '../core/index.ts';
import type { InstanceRow, Store } from '../store/index.ts';
import { AskedStates } from './asked-states.ts';
import { stateOf } from './instance-news.ts';
import type { Status } from './link-state.ts';
import type { InstanceState } from './live-events.ts';
import type { OwnSessions } from './own-sessions.ts';
import { isLinkedElsewhere } from './queries.ts';
import type { Session } from './session.ts';
import { ToldStatuses } from './told-statuses.ts';

interface StatesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly stopwatch: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** null: there are no other nodes. */
  readonly peers: Peers | null;
  /** Called with numbers whose state other nodes can read now. */
  stored(numbers: readonly Pick<Session, 'id' | 'accountId'>[]): void;
}

/** The states of all numbers: of this process's own, and of other nodes' as far as those tell them. */
export class States {
  readonly #store: Store;
  readonly #own: OwnSessions;
  /** null: every number is this process's own. */
  readonly #told: ToldStatuses | null;
  /** null: there are no other nodes to be asked. */
  readonly #asked: AskedStates | null;

  constructor(own: OwnSessions, { store, clock, stopwatch, log, peers, stored }: StatesOptions) {
    this.#store = store;
    this.#own = own;
    this.#told = store.leases === null || peers === null ? null : new ToldStatuses({ leases: store.leases, clock: stopwatch, log, stored });
    const ownState = (id: string) => {
      const session = own.get(id);
      return session === undefined ? undefined : stateOf(session);
    };
    this.#asked = peers === null ? null : new AskedStates({ db: store.db, peers, ownState, now: () => clock.now() });
  }

  /** What answers other nodes that ask for states. */
  get handlers(): readonly PeerHandler[] {
    return this.#asked === null ? [] : [this.#asked.handler];
  }

  /** The account's instances on all nodes, oldest first. Each state is made when it is asked for, because an account may have thousands. */
  async ofAccount(accountId: string): Promise<IteratorObject<InstanceState>> {
    if (this.#asked !== null) return (await this.#asked.ofAccount(accountId)).values();
    // A copy, because numbers may come and go before the last one is asked for.
    return this.#own.ofAccount(accountId).slice().values().map(stateOf);
  }

  /** The state of the links of all numbers, those of other nodes up to a second late. A number that is missing is closed. */
  async statuses(): Promise<ReadonlyMap<string, Status>> {
    const statuses = new Map(this.#told === null ? [] : await this.#store.leases?.statuses());
    for (const { id, status } of this.#own.values()) statuses.set(id, status);
    return statuses;
  }

  /** How the links of these numbers are; what is missing is closed. */
  async statusesOf(ids: readonly string[]): Promise<ReadonlyMap<string, Status>> {
    const elsewhere = this.#told === null ? [] : ids.filter((id) => !this.#own.has(id));
    const statuses = new Map(elsewhere.length === 0 ? [] : await this.#store.leases?.statuses(elsewhere));
    for (const id of ids) {
      const session = this.#own.get(id);
      if (session !== undefined) statuses.set(id, session.status);
    }
    return statuses;
  }

  /** The state of the links of all numbers, for queries in the store: with several nodes, their owners have written it there. */
  links(): Links {
    if (this.#told !== null) return 'told';
    const open: string[] = [];
    const connecting: string[] = [];
    for (const { id, status } of this.#own.values()) {
      if (status === 'open') open.push(id);
      else if (status === 'connecting') connecting.push(id);
    }
    return { open, connecting };
  }

  /** Whether an instance of the same account is linked with this number on another node. */
  async linkedOnOtherNode(row: InstanceRow, phoneNumber: string): Promise<boolean> {
    return this.#told !== null && isLinkedElsewhere(this.#store.db, row, phoneNumber);
  }

  /** Must be called whenever the status of an own session may have changed, for other nodes to be told. */
  note(session: Session): void {
    this.#told?.note(session);
  }

  stop(): void {
    this.#told?.stop();
  }
}
