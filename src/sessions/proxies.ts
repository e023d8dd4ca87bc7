import { type Act, recordAudit } from '../audit/index.ts';
import { type Clock, type Log, OperatorError, Periodic, Semaphore, shownProxy, type Vault } from '../core/index.ts';
import type { Store } from '../store/index.ts';
import { instancesWithProxy, lockInstance, updateInstance } from './queries.ts';

/** How often to look for proxies that the command line, or another server, has changed. */
const everyMs = 1_000;
/** How many numbers reconnect at once. */
const simultaneously = 20;

/** What the proxy of a number is sealed for. */
export const proxyContext = (instanceId: string) => `proxy ${instanceId}`;

/** In place of a proxy whose address cannot be decrypted. Its number must not connect without it. */
const unreadableProxy = 'unreadable:';

/**
 * Sets the proxy of a number; null removes it. `address` is a result of `readProxyAddress`. A running server reconnects the number within a second or
 * two; the same proxy again changes nothing. Throws OperatorError when there is no such instance.
 */
export async function setProxy(
  { store, vault }: { store: Store; vault: Vault },
  id: string,
  address: string | null,
  act: Act,
): Promise<void> {
  await store.transaction(async (trx) => {
    const row = await lockInstance(trx, id);
    if (row === undefined) throw new OperatorError(`there is no number "${id}"`);
    const before = row.proxy === null ? null : openProxy(vault, id, row.proxy);
    if (before === address) return;
    await updateInstance(trx, id, { proxy: address === null ? null : vault.seal(Buffer.from(address), proxyContext(id)) });
    const shown = (proxy: string | null) => (proxy === null ? null : shownIfReadable(proxy));
    const details = { proxy: { from: shown(before), to: shown(address) } };
    await recordAudit(trx, act, { action: 'number.proxy', targetId: id, accountId: row.account_id, details });
  });
}

/** The number's proxy as it may be shown; null when it has none. */
export function storedProxy(vault: Vault, { id, proxy }: { readonly id: string; readonly proxy: Buffer | null }): string | null {
  return proxy === null ? null : shownIfReadable(openProxy(vault, id, proxy));
}

export async function readProxies(store: Store, vault: Vault): Promise<Map<string, string>> {
  const rows = await instancesWithProxy(store.db);
  await vault.ready(rows.flatMap(({ proxy }) => proxy ?? []));
  return new Map(rows.flatMap(({ id, proxy }) => (proxy === null ? [] : [[id, openProxy(vault, id, proxy)] as const])));
}

function openProxy(vault: Vault, id: string, sealed: Buffer): string {
  try {
    return vault.open(sealed, proxyContext(id)).toString('utf8');
  } catch {
    return unreadableProxy;
  }
}

function shownIfReadable(address: string): string {
  return address === unreadableProxy ? 'unreadable' : shownProxy(address);
}

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
  /** How many reads have begun, and which of them `#proxies` is from. */
  #begun = 0;
  #readIn = 0;
  /** Those that the numbers connect through, or are about to. */
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
    await this.#read();
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

  /** Reads the number's proxy for its first connection: one that was set a moment ago must not be missed. */
  async refresh(instanceId: string): Promise<void> {
    await this.#read();
    this.#follow(instanceId);
  }

  /** Two may run at once, and what the earlier one has read must not replace what the later one has. */
  async #read(): Promise<void> {
    const turn = ++this.#begun;
    const proxies = await this.#options.read();
    if (turn < this.#readIn) return;
    this.#readIn = turn;
    this.#proxies = proxies;
  }

  /** Waits for no number, so that one that is slow to disconnect keeps no other waiting. */
  async #look(): Promise<void> {
    const { log } = this.#options;
    await this.#read();
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
      // Also when this fails: the number's next connection uses the new proxy anyway.
      this.#follow(id);
      const proxy = this.of(id);
      log.info(
        { instance_id: id, proxy: proxy === null ? null : shownIfReadable(proxy) },
        'a number reconnects because its proxy was changed',
      );
      await changed(id);
    } finally {
      free();
    }
  }

  #follow(id: string): void {
    const proxy = this.#proxies.get(id);
    if (proxy === undefined) this.#followed.delete(id);
    else this.#followed.set(id, proxy);
  }
}
