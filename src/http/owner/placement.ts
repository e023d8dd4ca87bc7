import { LRUCache } from 'lru-cache';
import type { Peer } from '../../coordination/index.ts';
import { type Clock, systemClock } from '../../core/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Leases } from '../../store/index.ts';

/** An owner is remembered this long; one that has changed says so itself. */
const rememberedMs = 5_000;

interface PlacementOptions {
  readonly sessions: Pick<Sessions, 'find' | 'adopt'>;
  readonly leases: Leases;
  /** The id of this node; null while it is none. */
  nodeId(): string | null;
  /** The system's unless said. */
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
