import type { Kysely } from 'kysely';
import { type Log, Periodic, StoreUnavailable, systemClock } from '../core/index.ts';
import { writeMeta } from './meta.ts';
import type { Database } from './schema.ts';

const everyMs = 500;
/** How often the same failure of single calls is logged. */
const sayAgainMs = 10_000;

interface WritabilityOptions {
  readonly db: Kysely<Database>;
  /** Why a write would not last, seen from the place of the store without writing; null: nothing seen. */
  readonly look?: () => Promise<StoreUnavailable | null>;
  readonly log?: Pick<Log, 'info' | 'error'> | undefined;
}

/**
 * Knows whether the store can be written. It learns that it cannot from every write that fails and by looking at its place twice a second,
 * and that it can again from a write of its own. It logs both, once each, so nobody else needs to log a StoreUnavailable.
 */
export class Writability {
  readonly #options: WritabilityOptions;
  #trouble: StoreUnavailable | null = null;
  #unlogged = 0;
  #said = { message: '', at: 0 };
  #checks: Periodic | null = null;

  constructor(options: WritabilityOptions) {
    this.#options = options;
  }

  /** Why the store cannot be written; null when no trouble is known. */
  get trouble(): StoreUnavailable | null {
    return this.#trouble;
  }

  /** A look at the place of the store, and one small write that is committed. Throws StoreUnavailable. */
  async tryWrite(): Promise<void> {
    const seen = (await this.#options.look?.()) ?? null;
    if (seen !== null) throw seen;
    await this.#write();
  }

  /** Must be called with every failure of the store. `alone`: of one call while others work, which is no trouble and only logged. */
  failed(error: StoreUnavailable, alone = false): void {
    if (this.#trouble === null && !(alone && this.#saidLately(error.message))) this.#options.log?.error({}, error.message);
    if (!alone) this.#trouble = error;
  }

  /** Whether a call that failed alone was logged with these words in the last seconds; otherwise it is to be logged now. */
  #saidLately(message: string): boolean {
    const now = performance.now();
    if (message === this.#said.message && now < this.#said.at + sayAgainMs) return true;
    this.#said = { message, at: now };
    return false;
  }

  /** Must be called with the number of requests that could not be logged; the sum is logged when the store works again. */
  lostRecords(count: number): void {
    if (this.#trouble === null) this.#options.log?.error({ requests_missing_in_log: count }, 'the request log could not be written');
    else this.#unlogged += count;
  }

  /** Looks and tries from now on until `stop`. `look` finds what is wrong with the place of the store without writing; null: nothing. */
  watch(look: () => Promise<StoreUnavailable | null> = async () => null): void {
    this.#checks = new Periodic({ clock: systemClock, everyMs, work: () => this.#check(look) }).start();
  }

  async stop(): Promise<void> {
    await this.#checks?.stop();
  }

  async #check(look: () => Promise<StoreUnavailable | null>): Promise<void> {
    try {
      const seen = await look();
      if (seen !== null) return this.failed(seen);
      if (this.#trouble === null) return;
      await this.#write();
      this.#recovered();
    } catch (error) {
      this.failed(error instanceof StoreUnavailable ? error : new StoreUnavailable(`the store failed: ${error}`, { cause: error }));
    }
  }

  async #write(): Promise<void> {
    await writeMeta(this.#options.db, 'last tried to write', new Date().toISOString());
  }

  #recovered(): void {
    this.#trouble = null;
    const lost = this.#unlogged === 0 ? {} : { requests_missing_in_log: this.#unlogged };
    this.#unlogged = 0;
    this.#options.log?.info(lost, 'the store can be written again');
  }
}
