import { newId, systemClock, type Timer } from '../core/index.ts';
import type { Lease, Leased, Leases } from '../store/index.ts';

/** The only server of a database needs no time limit: whoever becomes the server next ends it. */
const unlimitedMs = 10 * 365 * 24 * 60 * 60 * 1000;
/** How often to look whether another server has ended this one. */
const lookEveryMs = 5_000;
/** How many numbers to take in one statement. */
const wave = 1_000;

interface OwnershipOptions {
  readonly leases: Leases;
  readonly log: { error(fields: object, message: string): void };
  /** Called once, when another server has taken this one's numbers. */
  onLost(): void;
}

/** Which numbers this process owns, on a store that several servers can reach. */
export class Ownership {
  readonly #options: OwnershipOptions;
  #timer: Timer | null = null;
  #stopped = false;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  /** Ends all other servers' ownership and takes every number. */
  async start(): Promise<readonly Leased[]> {
    const { leases } = this.#options;
    await leases.join({ name: newId(), ttlMs: unlimitedMs, alone: true });
    const owned: Leased[] = [];
    for (;;) {
      const taken = await leases.acquire(wave);
      if (taken.length === 0) break;
      owned.push(...taken);
    }
    this.#follow();
    return owned;
  }

  /** Takes a number that has just been created; null when another server was first. */
  take(instanceId: string): Promise<Lease | null> {
    return this.#options.leases.take(instanceId);
  }

  /** Gives every number back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#options.leases.leave();
  }

  #follow(): void {
    const { leases, log, onLost } = this.#options;
    this.#timer = systemClock.after(lookEveryMs, () => {
      leases
        .renew(unlimitedMs)
        .then(
          (renewed) => {
            if (renewed || this.#stopped) return;
            this.#stopped = true;
            onLost();
          },
          (error: unknown) => log.error({ err: error }, 'this server could not renew its right to its numbers'),
        )
        .finally(() => {
          if (!this.#stopped) this.#follow();
        });
    });
  }
}
