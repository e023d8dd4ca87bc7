import { type Clock, type Log, Periodic, Semaphore } from '../core/index.ts';
import { shownIfReadable } from './proxies.ts';

/** How often to look for proxies that the command line, or another server, has changed. */
const everyMs = 1_000;
/** How many numbers reconnect at once. */
const simultaneously = 20;

interface FollowedProxiesOptions {
  /** The proxies of all numbers, by instance. */
  read(): Promise<ReadonlyMap<string, string>>;
  readonly stopwatch: Clock;
  readonly log: Pick<Log, 'info' | 'error'>;
  /** The number's proxy is another one now. */
  changed(instanceId: string): Promise<void>;
}

/** The proxies of all numbers, as they are in the store. */
export class FollowedProxies {
  readonly #options: FollowedProxiesOptions;
  readonly #looks: Periodic;
  /** By instance. */
  #proxies: ReadonlyMap<string, string> = new Map();
  /** Those that links have been told of. */
  #followed = new Map<string, string>();
  /** Numbers that are reconnecting. */
  readonly #busy = new Set<string>();
  readonly #slots = new Semaphore(simultaneously, simultaneously);

  constructor(options: FollowedProxiesOptions) {
    this.#options = options;
    const { stopwatch: clock, log } = options;
    this.#looks = new Periodic({ clock, everyMs, work: () => this.#look(), log, failed: 'the proxies of numbers could not be read' });
  }

  async start(): Promise<void> {
    this.#proxies = await this.#options.read();
    this.#followed = new Map(this.#proxies);
    this.#looks.start();
  }

  stop(): Promise<void> {
    return this.#looks.stop();
  }

  /** The number's current proxy; null for none. */
  of(instanceId: string): string | null {
    return this.#proxies.get(instanceId) ?? null;
  }

  /** Waits for no number, so that one whose link is slow to close keeps no other one waiting. */
  async #look(): Promise<void> {
    const { read, log } = this.#options;
    this.#proxies = await read();
    for (const id of new Set([...this.#followed.keys(), ...this.#proxies.keys()])) {
      if (this.#busy.has(id) || this.#followed.get(id) === this.#proxies.get(id)) continue;
      this.#busy.add(id);
      this.#reconnect(id)
        .catch((error: unknown) => log.error({ err: error, instance_id: id }, 'a number could not reconnect after its proxy was changed'))
        .finally(() => this.#busy.delete(id));
    }
  }

  async #reconnect(id: string): Promise<void> {
    const { log, changed } = this.#options;
    const free = await this.#slots.take(null);
    try {
      if (this.#looks.stopped) return;
      const proxy = this.#proxies.get(id);
      // Also when this fails: the number's next link uses the new proxy anyway.
      if (proxy === undefined) this.#followed.delete(id);
      else this.#followed.set(id, proxy);
      log.info(
        { instance_id: id, proxy: proxy === undefined ? null : shownIfReadable(proxy) },
        'a number reconnects because its proxy was changed',
      );
      await changed(id);
    } finally {
      free();
    }
  }
}
