import { z } from 'zod';
import type { Connections } from '../accounts/index.ts';
import { askPeer, type Peer, PeerError, type PeerHandler, type PeerMethod, type Peers, peerHandler } from '../coordination/index.ts';
import { type Clock, type Log, newId, Periodic, parts } from '../core/index.ts';
import type { Leases, Store } from '../store/index.ts';
import type { Status } from './connection-state.ts';
import { type InstanceState, stateOf, storedState } from './live-events.ts';
import type { OwnSessions } from './own-sessions.ts';
import { ownedInstances } from './queries.ts';
import type { Session } from './session.ts';
import type { UnservedNumbers } from './unserved.ts';

/** How many instances one request asks for: their states stay far below the size limit of an answer. */
const askedAtOnce = 500;
const deadlineMs = 3_000;
/** Changes of this time are reported together. */
const gatherMs = 500;
const retryMs = 5_000;

/** The states of instances that the asked server owns; it leaves out the others. */
const statesMethod: PeerMethod<{ readonly ids: readonly string[] }, { readonly states: readonly InstanceState[] }> = {
  path: '/internal/instance-states',
  payload: z.object({ ids: z.array(z.string()) }),
  // Pages and answers show the states as they are.
  answer: z.object({ states: z.array(z.custom<InstanceState>((value) => typeof value === 'object' && value !== null)) }),
};

interface StatesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly stopwatch: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** null: there are no other servers. */
  readonly peers: Peers | null;
  readonly unserved: Pick<UnservedNumbers, 'ofAccount'>;
  /** Called with numbers whose state other servers can read now. */
  stored(numbers: readonly ReportedStatus[]): void;
}

/** The states of all numbers: this process's own, and those of other servers, which are asked or have reported them to the store. */
export class States {
  readonly #options: StatesOptions;
  readonly #own: OwnSessions<Session>;
  /** null: every number is this process's own. */
  readonly #reports: StatusReports | null;
  /** Answers other servers that ask for states. */
  readonly handlers: readonly PeerHandler[];

  constructor(own: OwnSessions<Session>, options: StatesOptions) {
    this.#options = options;
    this.#own = own;
    const { store, peers, stopwatch, log, stored } = options;
    const shared = store.leases !== null && peers !== null;
    this.#reports = shared ? new StatusReports({ leases: store.leases, clock: stopwatch, log, stored }) : null;
    const answer = peerHandler(statesMethod, async ({ ids }) => ({ states: ids.flatMap((id) => this.#ownState(id) ?? []) }));
    this.handlers = peers === null ? [] : [answer];
  }

  /** The account's instances on all servers, oldest first. Each state is made when it is asked for, because an account may have thousands. */
  async ofAccount(accountId: string): Promise<IteratorObject<InstanceState>> {
    const { peers, unserved } = this.#options;
    if (peers !== null) return (await this.#askOwners(peers, accountId)).values();
    const others = await unserved.ofAccount(accountId);
    const own = this.#own.ofAccount(accountId);
    // A copy, because numbers may come and go before the last one is asked for.
    if (others.length === 0) return own.slice().values().map(stateOf);
    return [...own.map(stateOf), ...others].sort(byAge).values();
  }

  /** The status of all numbers, or of these, that of other servers' up to a second late. A number that is missing is closed. */
  async statuses(ids?: readonly string[]): Promise<ReadonlyMap<string, Status>> {
    const elsewhere = ids?.filter((id) => !this.#own.has(id));
    const isOwn = this.#reports === null || elsewhere?.length === 0;
    const statuses = new Map(isOwn ? [] : await this.#options.store.leases?.statuses(elsewhere));
    const own = ids === undefined ? this.#own.values() : ids.flatMap((id) => this.#own.get(id) ?? []);
    for (const { id, status } of own) statuses.set(id, status);
    return statuses;
  }

  /** The status of all numbers, or of those of these accounts, for queries in the store: with several servers, their owners have written it there. */
  connections(accountIds?: readonly string[]): Connections {
    if (this.#reports !== null) return 'reported';
    const open: string[] = [];
    const connecting: string[] = [];
    const own = accountIds === undefined ? this.#own.values() : accountIds.flatMap((id) => this.#own.ofAccount(id));
    for (const { id, status } of own) {
      if (status === 'open') open.push(id);
      else if (status === 'connecting') connecting.push(id);
    }
    return { open, connecting };
  }

  /** Must be called whenever the status of an own session may have changed; it is reported to other servers. */
  note(session: Session): void {
    this.#reports?.note(session);
  }

  stop(): void {
    this.#reports?.stop();
  }

  #ownState(id: string): InstanceState | undefined {
    const session = this.#own.get(id);
    return session === undefined ? undefined : stateOf(session);
  }

  /** The account's instances as their owners know them now. What an owner cannot be asked for is shown as it was last reported to the store. */
  async #askOwners(peers: Peers, accountId: string): Promise<readonly InstanceState[]> {
    const rows = await ownedInstances(this.#options.store.db, accountId);
    const elsewhere = new Map<string, { readonly peer: Peer; readonly ids: string[] }>();
    for (const { id, node, address } of rows) {
      if (node === null || address === null || this.#own.has(id)) continue;
      const known = elsewhere.get(node);
      if (known === undefined) elsewhere.set(node, { peer: { id: node, address }, ids: [id] });
      else known.ids.push(id);
    }
    const asked = await Promise.all([...elsewhere.values()].map(({ peer, ids }) => ask(peers, peer, ids)));
    const answered = new Map(asked.flat().map((state) => [state.instanceId, state]));
    const now = this.#options.clock.now();
    return rows.map((row) => this.#ownState(row.id) ?? answered.get(row.id) ?? storedState(row, row.status, now));
  }
}

/** Oldest first, as the store has them. */
function byAge(a: InstanceState, b: InstanceState): number {
  return a.createdAt - b.createdAt || (a.instanceId < b.instanceId ? -1 : 1);
}

async function ask(peers: Peers, peer: Peer, ids: readonly string[]): Promise<readonly InstanceState[]> {
  const states: InstanceState[] = [];
  try {
    for (const some of parts(ids, askedAtOnce))
      states.push(...(await askPeer(peers, peer, statesMethod, { ids: some }, { deadlineMs, requestId: newId() })).states);
  } catch (error) {
    if (!(error instanceof PeerError)) throw error;
  }
  return states;
}

interface ReportedStatus {
  readonly id: string;
  readonly accountId: string;
  readonly status: Status;
}

interface StatusReportsOptions extends Pick<StatesOptions, 'clock' | 'log' | 'stored'> {
  readonly leases: Pick<Leases, 'report'>;
}

/** Reports the status of this server's numbers to the others, through the store. A report that failed is repeated a little later. */
export class StatusReports {
  readonly #options: StatusReportsOptions;
  #changed = new Map<string, ReportedStatus>();
  /** One report after another: a slow one must not overwrite a later one. */
  readonly #rounds: Periodic;
  #failed = false;

  constructor(options: StatusReportsOptions) {
    this.#options = options;
    this.#rounds = new Periodic({ clock: options.clock, everyMs: Number.POSITIVE_INFINITY, work: () => this.#report() });
  }

  note({ id, accountId, status }: ReportedStatus): void {
    this.#changed.set(id, { id, accountId, status });
    if (!this.#failed) this.#rounds.wake(gatherMs);
  }

  stop(): void {
    void this.#rounds.stop();
  }

  async #report(): Promise<void> {
    const { leases, log, stored } = this.#options;
    const changed = this.#changed;
    this.#changed = new Map();
    try {
      await leases.report(new Map([...changed.values()].map(({ id, status }) => [id, status])));
      stored([...changed.values()]);
      if (this.#failed && this.#changed.size > 0) this.#rounds.wake(gatherMs);
      this.#failed = false;
    } catch (error) {
      log.warn({ err: error }, 'the status of numbers could not be reported to other servers');
      this.#changed = new Map([...changed, ...this.#changed]);
      this.#failed = true;
      this.#rounds.wake(retryMs);
    }
  }
}
