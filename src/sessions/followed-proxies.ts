import type { Clock, Timer, Vault } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { readProxies, shownIfReadable } from './proxies.ts';

/** How often to look for proxies that the command line, or another server, has changed. */
const everyMs = 1_000;

interface FollowedProxiesOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly stopwatch: Clock;
  readonly log: { info(fields: object, message: string): void; error(fields: object, message: string): void };
  /** The number's proxy is another one now. */
  changed(instanceId: string): Promise<void>;
}

/** The proxies of all numbers, as they are in the store. */
export class FollowedProxies {
  readonly #options: FollowedProxiesOptions;
  #timer: Timer | null = null;
  #stopped = false;
  /** By instance. */
  #proxies: ReadonlyMap<string, string> = new Map();

  constructor(options: FollowedProxiesOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#proxies = await readProxies(this.#options.store, this.#options.vault);
    this.#follow();
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.cancel();
  }

  /** The number's current proxy; null for none. */
  of(instanceId: string): string | null {
    return this.#proxies.get(instanceId) ?? null;
  }

  #follow(): void {
    const { log, stopwatch } = this.#options;
    this.#timer = stopwatch.after(everyMs, () => {
      this.#look()
        .catch((error: unknown) => log.error({ err: error }, 'the proxies of numbers could not be read'))
        .finally(() => {
          if (!this.#stopped) this.#follow();
        });
    });
  }

  async #look(): Promise<void> {
    const { store, vault, log, changed } = this.#options;
    const before = this.#proxies;
    const now = await readProxies(store, vault);
    this.#proxies = now;
    for (const id of new Set([...before.keys(), ...now.keys()])) {
      const proxy = now.get(id);
      if (before.get(id) === proxy) continue;
      const shown = proxy === undefined ? null : shownIfReadable(proxy);
      log.info({ instance_id: id, proxy: shown }, 'a number reconnects because its proxy was changed');
      await changed(id);
    }
  }
}
