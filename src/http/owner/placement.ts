import { LRUCache } from 'lru-cache';
import type { Peer } from '../../coordination/index.ts';
import { type Clock, systemClock } from '../../core/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Leases } from '../../store/index.ts';

/** An owner is remembered this long; a former one refuses the request. */
const rememberedMs = 5_000;

interface PlacementOptions {
  readonly sessions: Pick<Sessions, 'find' | 'adopt'>;
  readonly leases: Leases;
  /** The id of this node; null while it is none. */
  nodeId(): string | null;
  /** The system's by default. */
  readonly stopwatch?: Clock;
  /** How many owners are remembered; memory for all of them is taken at once. */
  readonly mostRemembered?: number;
}

/** Which node answers for an instance. */
export class Placement {
  readonly #options: PlacementOptions;
  readonly #owners: LRUCache<string, Peer>;

  constructor(options: PlacementOptions) {
    this.#options = options;
    const { stopwatch = systemClock, mostRemembered = 50_000 } = options;
    this.#owners = new LRUCache({ max: mostRemembered, ttl: rememberedMs, perf: { now: () => stopwatch.monotonic() } });
  }

  /**
   * `here`: this process owns the number. `nowhere`: the account has no such instance, or no node can serve it, which any process can answer.
   * Otherwise another node; null: nobody can answer now.
   */
  async of(accountId: string, instanceId: string): Promise<Peer | typeof here | typeof nowhere | null> {
    const { sessions, leases, nodeId } = this.#options;
    const id = instanceId.toLowerCase();
    if (sessions.find(accountId, id) !== undefined) return here;
    const remembered = this.#owners.get(`${accountId} ${id}`);
    if (remembered !== undefined) return remembered;
    const owner = await leases.ownerOf(accountId, id);
    if (owner === undefined) return nowhere;
    if (owner === null) return (await sessions.adopt(accountId, id)) ? here : null;
    // A number that was just taken has no session yet, and one that is being lost none any more.
    if (owner.id === nodeId()) return null;
    this.#owners.set(`${accountId} ${id}`, owner);
    return owner;
  }

  /** The owner that was found does not answer for it. */
  forget(accountId: string, instanceId: string): void {
    this.#owners.delete(`${accountId} ${instanceId.toLowerCase()}`);
  }
}

export const here = 'here';
export const nowhere = 'nowhere';

/** How long a request waits for a number to have an owner (decisions §5, of a link that is coming back). */
const ownerWaitMs = 5_000;
const pauseMs = 100;

/**
 * Who answers a request about a number. `here`: this process. `nowhere`: any process can. `moved`: another node handed it here, and this one
 * does not own the number. `unowned`: no owner was found in time.
 */
type Found<Answered> = Answered | { readonly outcome: 'here' | 'nowhere' | 'moved' | 'unowned' };

/** One request, from any client. */
interface Searching<Answer> {
  /** True when another node has handed it here. */
  readonly forwarded: boolean;
  /** Has a node answer it; `moved` when that node does not own the number, null when it did not answer and asking again does no harm. */
  ask(owner: Peer): Promise<Answer | null>;
}

/** Makes what looks for the owner of a number and has it answer, again while the number moves. */
export function createOwnerSearch({ placement, clock }: { readonly placement: Placement; readonly clock: Clock }) {
  return async function search<Answer extends { readonly outcome: string }>(
    accountId: string,
    instanceId: string,
    { forwarded, ask }: Searching<Answer>,
  ): Promise<Found<Exclude<Answer, { readonly outcome: 'moved' }>>> {
    let giveUpAt = clock.monotonic() + ownerWaitMs;
    let waitedForSilent = false;
    for (;;) {
      const owner = await placement.of(accountId, instanceId);
      if (owner === nowhere) return { outcome: 'nowhere' };
      if (owner === here) return { outcome: 'here' };
      if (forwarded) return { outcome: 'moved' };
      const askedAt = clock.monotonic();
      const answer = owner === null ? null : await ask(owner);
      if (answer !== null && answer.outcome !== 'moved') return answer as Exclude<Answer, { readonly outcome: 'moved' }>;
      placement.forget(accountId, instanceId);
      const askedForMs = clock.monotonic() - askedAt;
      // A node that fell silent is given up later than an owner is waited for: its successor gets that time anew, once.
      if (askedForMs > ownerWaitMs && !waitedForSilent) {
        waitedForSilent = true;
        giveUpAt += askedForMs;
      }
      if (clock.monotonic() > giveUpAt) return { outcome: 'unowned' };
      const { promise: pause, resolve } = Promise.withResolvers<void>();
      clock.after(pauseMs, resolve);
      await pause;
    }
  };
}
