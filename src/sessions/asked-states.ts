import { z } from 'zod';
import { askPeer, type Peer, PeerError, type PeerMethod, type Peers, peerHandler } from '../coordination/index.ts';
import { newId } from '../core/index.ts';
import type { NetworkName } from '../networks/index.ts';
import type { InstanceRow, Store } from '../store/index.ts';
import type { Status } from './link-state.ts';
import type { InstanceState } from './live-events.ts';
import { storedNewChats } from './new-chats.ts';
import { ownedInstances } from './queries.ts';
import { storedRestriction } from './restriction.ts';

/** How many instances one call asks for: their states stay far below the size limit of a call. */
const askedAtOnce = 500;
const deadlineMs = 3_000;

/** The states of instances that the asked node owns; it leaves out the others. */
const statesMethod: PeerMethod<{ readonly ids: readonly string[] }, { readonly states: readonly InstanceState[] }> = {
  path: '/internal/instance-states',
  payload: z.object({ ids: z.array(z.string()) }),
  // What a node says of its own instances; pages and answers show it as it is.
  answer: z.object({ states: z.array(z.custom<InstanceState>((value) => typeof value === 'object' && value !== null)) }),
};

interface AskedStatesOptions {
  readonly db: Store['db'];
  readonly peers: Peers;
  /** The state of an instance that this node owns; undefined for others. */
  ownState(instanceId: string): InstanceState | undefined;
  now(): number;
}

/** The states of instances on any node, for which their owners are asked. */
export class AskedStates {
  readonly #options: AskedStatesOptions;

  constructor(options: AskedStatesOptions) {
    this.#options = options;
  }

  /** Answers other nodes. */
  readonly handler = peerHandler(statesMethod, async ({ ids }) => ({ states: ids.flatMap((id) => this.#options.ownState(id) ?? []) }));

  /**
   * The account's instances, oldest first, as their owners know them now. What an owner cannot be asked for is shown as it was last told to the
   * store.
   */
  async ofAccount(accountId: string): Promise<readonly InstanceState[]> {
    const { db, ownState, now } = this.#options;
    const rows = await ownedInstances(db, accountId);
    const elsewhere = new Map<string, { readonly peer: Peer; readonly ids: string[] }>();
    for (const { id, node, address } of rows) {
      if (node === null || address === null || ownState(id) !== undefined) continue;
      const known = elsewhere.get(node);
      if (known === undefined) elsewhere.set(node, { peer: { id: node, address }, ids: [id] });
      else known.ids.push(id);
    }
    const asked = await Promise.all([...elsewhere.values()].map(({ peer, ids }) => this.#ask(peer, ids)));
    const told = new Map(asked.flat().map((state) => [state.instanceId, state]));
    return rows.map((row) => ownState(row.id) ?? told.get(row.id) ?? storedState(row, row.status, now()));
  }

  async #ask(peer: Peer, ids: readonly string[]): Promise<readonly InstanceState[]> {
    const options = { deadlineMs, requestId: newId() };
    const states: InstanceState[] = [];
    try {
      for (let from = 0; from < ids.length; from += askedAtOnce) {
        const answer = await askPeer(this.#options.peers, peer, statesMethod, { ids: ids.slice(from, from + askedAtOnce) }, options);
        states.push(...answer.states);
      }
    } catch (error) {
      if (!(error instanceof PeerError)) throw error;
    }
    return states;
  }
}

function storedState(row: InstanceRow, status: Status, now: number): InstanceState {
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
