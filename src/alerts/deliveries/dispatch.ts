import { type Log, StoreUnavailable } from '../../core/index.ts';
import { type DeliverOptions, deliver } from './deliver.ts';
import { type DueDelivery, selectDue, takeDue } from './queries.ts';

/** Within this time an attempt ends, or its process has ended. */
const attemptMs = 60_000;
/** How many deliveries of one owner are sent at once. */
const perOwner = 4;
/** All mails wait for the same mail server; its silence must leave lanes for webhooks. */
const lanesOf = { webhook: { total: 400, perOwner }, mail: { total: 40, perOwner } } as const;
type Kind = keyof typeof lanesOf;

/**
 * Sends what is due, each owner's (an account's, a provider's, the installation's) within its own share of the lanes. An attempt keeps nothing
 * waiting but its own lane.
 */
export class Dispatch {
  readonly #options: DeliverOptions;
  readonly #signal: AbortSignal;
  readonly #onEnded: () => void;
  readonly #lanes = { webhook: new Lanes(lanesOf.webhook), mail: new Lanes(lanesOf.mail) };
  readonly #running = new Set<Promise<void>>();

  /** `onEnded`: a lane is free again. Once `signal` is aborted nothing more is sent. */
  constructor(options: DeliverOptions, signal: AbortSignal, onEnded: () => void) {
    this.#options = options;
    this.#signal = signal;
    this.#onEnded = onEnded;
  }

  /** Begins to send what is due, as far as lanes are free; not to be called while it does. Resolves when it has begun. */
  async start(): Promise<void> {
    for (const kind of ['webhook', 'mail'] as const) {
      while (!this.#signal.aborted && (await this.#startSome(kind)));
    }
  }

  /** What is being sent now, or none; each resolves when its attempt has ended. */
  get running(): readonly Promise<void>[] {
    return [...this.#running];
  }

  /** Whether something was begun. */
  async #startSome(kind: Kind): Promise<boolean> {
    const { store } = this.#options;
    const lanes = this.#lanes[kind];
    const now = await this.#options.now();
    const due = await selectDue(store.db, { kind, now, perOwner, without: lanes.full, most: lanesOf[kind].total });
    const chosen = due.filter(({ owner }) => lanes.take(owner));
    let taken: DueDelivery[] = [];
    try {
      const ids = chosen.map(({ id }) => id);
      if (ids.length > 0) taken = await store.transaction((trx) => takeDue(trx, { ids, now, until: now + attemptMs }));
    } finally {
      const begun = new Set(taken.map(({ delivery_id }) => delivery_id));
      for (const { id, owner } of chosen) if (!begun.has(id)) lanes.free(owner);
    }
    const owners = new Map(chosen.map(({ id, owner }) => [id, owner]));
    for (const delivery of taken) this.#run(delivery, owners.get(delivery.delivery_id) ?? '', lanes);
    return taken.length > 0;
  }

  #run(delivery: DueDelivery, owner: string, lanes: Lanes): void {
    const running = deliver(this.#options, delivery, this.#signal)
      .catch((error: unknown) => logFailure(this.#options.log, error))
      .finally(() => {
        lanes.free(owner);
        this.#running.delete(running);
        this.#onEnded();
      });
    this.#running.add(running);
  }
}

/** How many run at once in all, and how many of them for one owner while fewer than half are taken; later owners find one lane each. */
interface LanesOptions {
  readonly total: number;
  readonly perOwner: number;
}

/**
 * Lanes in which work runs. Each owner has its own share, so that slow work holds up its owner alone. Once half of all lanes are taken the share is
 * one, so that it takes very many slow owners before a lane is missing for another.
 */
class Lanes {
  readonly #options: LanesOptions;
  readonly #running = new Map<string, number>();
  #taken = 0;

  constructor(options: LanesOptions) {
    this.#options = options;
  }

  /** Takes a lane; false when the owner's share is used, or none is free. */
  take(owner: string): boolean {
    const { total } = this.#options;
    const running = this.#running.get(owner) ?? 0;
    if (this.#taken >= total || running >= this.#share) return false;
    this.#running.set(owner, running + 1);
    this.#taken++;
    return true;
  }

  /** Gives a lane back that the owner has taken. */
  free(owner: string): void {
    const left = (this.#running.get(owner) ?? 1) - 1;
    if (left === 0) this.#running.delete(owner);
    else this.#running.set(owner, left);
    this.#taken--;
  }

  get full(): string[] {
    return [...this.#running].flatMap(([owner, running]) => (running >= this.#share ? [owner] : []));
  }

  get #share(): number {
    const { total, perOwner } = this.#options;
    return this.#taken < total / 2 ? perOwner : 1;
  }
}

/** Logs a step that failed; the store logs its own outages. */
export function logFailure(log: Pick<Log, 'error'>, error: unknown): void {
  if (!(error instanceof StoreUnavailable)) log.error({ err: error }, 'alerts could not be processed');
}
