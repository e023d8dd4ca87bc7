import type { Actor } from '../audit/index.ts';
import { type Clock, isUuid, storedId } from '../core/index.ts';
import { type Network, type NetworkName, networkNames } from '../networks/index.ts';
import type { InstanceRow, Store } from '../store/index.ts';
import type { NumberHistory } from './history/number-history.ts';
import { changeInstance, deleteInstance, renameInstance, unlinkInstance } from './instance-changes.ts';
import { type InstanceState, type SessionFeed, storedState } from './live-events.ts';
import { newChatsColumns, outlivesLink, restrictionColumns, storedRestriction } from './network-limits.ts';
import { instancesOn, oneInstance } from './queries.ts';

interface UnservedOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The enabled ones. */
  readonly networks: ReadonlyMap<NetworkName, Network>;
  readonly feed: SessionFeed;
  readonly history: Pick<NumberHistory, 'add'>;
}

/** The numbers whose network is not enabled. No server has a session of them, and any can change what is stored. */
export class UnservedNumbers {
  readonly #options: UnservedOptions;
  readonly #networks: readonly NetworkName[];

  constructor(options: UnservedOptions) {
    this.#options = options;
    this.#networks = networkNames.filter((name) => !options.networks.has(name));
  }

  /** The account's, oldest first. */
  async ofAccount(accountId: string): Promise<readonly InstanceState[]> {
    const { store, clock } = this.#options;
    const rows = await instancesOn(store.db, accountId, this.#networks);
    return rows.map((row) => storedState(row, 'close', clock.now()));
  }

  /** The account's number with this id, in any letter case; undefined when it has none on such a network. */
  async find(accountId: string, instanceId: string): Promise<UnservedNumber | undefined> {
    if (this.#networks.length === 0 || !isUuid(instanceId)) return undefined;
    const row = await oneInstance(this.#options.store.db, accountId, storedId(instanceId));
    return row !== undefined && this.#networks.some((name) => name === row.network) ? new UnservedNumber(row, this.#options) : undefined;
  }
}

/** A number whose network is not enabled: it can be renamed, disconnected and removed, without a word to the network. */
export class UnservedNumber {
  readonly id: string;
  readonly accountId: string;
  readonly status = 'close';
  /** No server owns it. */
  readonly lease = null;
  readonly #row: InstanceRow;
  readonly #options: UnservedOptions;

  constructor(row: InstanceRow, options: UnservedOptions) {
    this.id = row.id;
    this.accountId = row.account_id;
    this.#row = row;
    this.#options = options;
  }

  get state(): InstanceState {
    return storedState(this.#row, this.status, this.#options.clock.now());
  }

  async rename(label: string, actor: Actor): Promise<void> {
    const { store, clock, feed } = this.#options;
    await renameInstance(store, this.id, label, { actor, now: clock.now() });
    feed.publish(this.accountId, { type: 'instance_changed', instance: { ...this.state, label } });
  }

  /** Deletes its credentials. */
  async logout(actor: Actor): Promise<void> {
    const { store, clock, history } = this.#options;
    const restriction = storedRestriction(this.#row, clock.now());
    await unlinkInstance(store, this, { actor, now: clock.now() });
    const stays = restriction !== null && outlivesLink(restriction);
    await changeInstance(store, this, { ...(stays ? {} : restrictionColumns(null)), ...newChatsColumns(null) });
    if (this.#row.linked === 1) history.add(this, { event: 'disconnected', actor });
  }

  async remove(actor: Actor): Promise<void> {
    const { store, clock, feed, history } = this.#options;
    await deleteInstance(store, this, { actor, now: clock.now() });
    history.add(this, { event: 'deleted', actor });
    feed.publish(this.accountId, { type: 'instance_removed', instanceId: this.id });
  }
}
