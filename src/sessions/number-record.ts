import type { Act, Actor } from '../audit/index.ts';
import { type Clock, OwnershipLost, Signal, StoreUnavailable, type Vault } from '../core/index.ts';
import type { CredentialStore } from '../networks/index.ts';
import type { InstanceRow, Lease, Store } from '../store/index.ts';
import { createCredentialStore } from './credentials.ts';
import { changeInstance, type InstanceChange, linkInstance } from './instance-changes.ts';
import type { RestrictionColumns } from './network-limits.ts';
import { isLinked, isLinkedElsewhere } from './queries.ts';

/** How long to wait before the second try to read or store something. The wait doubles with each try, up to the longest. */
const firstMs = 250;
const longestMs = 5_000;

interface NumberRecordOptions {
  readonly store: Store;
  readonly vault: Vault;
  readonly clock: Clock;
  /** null: the store has one server only, which owns every number. */
  readonly ownership: { readonly holds: boolean } | null;
  /** Another server owns the number. */
  onLost(): void;
}

/**
 * What is stored of one number, written under the lease that this process has for it. When another server owns the number by now, a write rejects
 * with OwnershipLost and `onLost` is called.
 */
export class NumberRecord {
  readonly id: string;
  readonly accountId: string;
  /** null: the store has one server only. */
  readonly lease: Lease | null;
  readonly credentials: CredentialStore;
  /** Who is disconnecting the number right now; null otherwise, and also while the instance is being removed. */
  disconnection: Act | null = null;
  /** Why the store has refused what is being tried again; null while nothing is. */
  refusal: StoreUnavailable | null = null;
  /** Each is called once, when there is a refusal. */
  readonly onRefusal = new Set<(refusal: StoreUnavailable) => void>();
  readonly #options: NumberRecordOptions;
  readonly #stopping: Signal;
  #stopped = false;

  constructor({ id, account_id }: InstanceRow, lease: Lease | null, options: NumberRecordOptions) {
    this.id = id;
    this.accountId = account_id;
    this.lease = lease;
    this.#options = options;
    this.#stopping = new Signal(options.clock);
    this.credentials = createCredentialStore(options, this);
  }

  /** Whether this process can prove its right to the number at this moment. */
  get isHeld(): boolean {
    return this.#options.ownership?.holds ?? true;
  }

  /** To be called when the store has refused something because another server owns the number. */
  lost(): void {
    this.#options.onLost();
  }

  /** Whether credentials are stored. A phone may have linked although the number has never been open. */
  hasCredentials(): Promise<boolean> {
    return isLinked(this.#options.store.db, this.id);
  }

  /** Whether an instance of the account is linked with this phone number on another server. */
  async isLinkedElsewhere(phoneNumber: string): Promise<boolean> {
    return this.lease !== null && isLinkedElsewhere(this.#options.store.db, { id: this.id, account_id: this.accountId }, phoneNumber);
  }

  keep(change: InstanceChange): Promise<void> {
    return this.orLose(changeInstance(this.#options.store, this, change));
  }

  /** Stores what the network has reported and nobody else knows: tries again while the store is unavailable. */
  keepReported(change: InstanceChange): Promise<void> {
    return this.retrying(() => this.keep(change));
  }

  /** The same for a newly linked phone number. False, with nothing stored, when another server linked it at the same moment. */
  keepLinked(change: { phone_number: string } & RestrictionColumns, actor: Actor): Promise<boolean> {
    const { store, clock } = this.#options;
    return this.retrying(() => this.orLose(linkInstance(store, this, change, { actor, now: clock.now() })));
  }

  /** Does what a report of the network needs, which comes only once: tries again while the store is unavailable. */
  async retrying<T>(work: () => Promise<T>): Promise<T> {
    try {
      for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * 2, longestMs)) {
        try {
          return await work();
        } catch (error) {
          if (this.#stopped || !(error instanceof StoreUnavailable)) throw error;
          this.#refused(error);
          await this.#stopping.until(() => this.#stopped, waitMs);
        }
      }
    } finally {
      this.refusal = null;
    }
  }

  #refused(refusal: StoreUnavailable): void {
    this.refusal = refusal;
    for (const listener of this.onRefusal) listener(refusal);
    this.onRefusal.clear();
  }

  /** From now on nothing is tried again: what fails rejects at once. */
  stop(): void {
    this.#stopped = true;
    this.#stopping.notify();
  }

  /** The write; `onLost` is called when it rejects with OwnershipLost. */
  async orLose<T>(write: Promise<T>): Promise<T> {
    try {
      return await write;
    } catch (error) {
      if (error instanceof OwnershipLost) this.lost();
      throw error;
    }
  }
}
