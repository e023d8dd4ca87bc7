import type { Clock, Log, Timer } from '../core/index.ts';
import type { Leases } from '../store/index.ts';
import type { Status } from './link-state.ts';

/** Changes of this time are told together. */
const gatherMs = 500;
const retryMs = 5_000;

/** A number with the state of its link. */
interface Told {
  readonly id: string;
  readonly accountId: string;
  readonly status: Status;
}

interface Options {
  readonly leases: Leases;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Called with numbers whose state has been told, when it can be read. */
  stored(numbers: readonly Told[]): void;
}

/** Tells other nodes the state of this node's links, through the store. What could not be told is told again a little later. */
export class ToldStatuses {
  readonly #options: Options;
  #changed = new Map<string, Told>();
  #timer: Timer | null = null;
  /** One report after another: a slow one must not overwrite what a later one has told. */
  #telling = false;
  #stopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  note({ id, accountId, status }: Told): void {
    this.#changed.set(id, { id, accountId, status });
    this.#soon(gatherMs);
  }

  #soon(ms: number): void {
    if (this.#stopped || this.#telling) return;
    this.#timer ??= this.#options.clock.after(ms, () => {
      this.#timer = null;
      void this.#tell();
    });
  }

  async #tell(): Promise<void> {
    const { leases, log, stored } = this.#options;
    const telling = this.#changed;
    this.#changed = new Map();
    this.#telling = true;
    const told = await leases.report(new Map([...telling.values()].map(({ id, status }) => [id, status]))).then(
      () => true,
      (error: unknown) => {
        log.warn({ err: error }, 'other nodes could not be told the state of links');
        this.#changed = new Map([...telling, ...this.#changed]);
        return false;
      },
    );
    this.#telling = false;
    if (this.#changed.size > 0) this.#soon(told ? gatherMs : retryMs);
    if (told) stored([...telling.values()]);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }
}
