import { setImmediate as othersTurn } from 'node:timers/promises';
import { type Act, changesBetween, recordAudit } from '../audit/index.ts';
import { GatewayError, OperatorError, parts, quote, storedId } from '../core/index.ts';
import type { NetworkName } from '../networks/index.ts';
import { type Db, existingAccount, type InstanceRow, type ListRequest, type Store } from '../store/index.ts';
import { type Allowance, allowance } from './admitted.ts';
import { selectAccountsOf } from './queries/account-list.ts';
import { lockAccount } from './queries/accounts.ts';
import { countNumbers, type NumberFilter, type NumberSort, type NumberSummary, selectNumberPage } from './queries/number-list.ts';
import { countAccountNumbers, countProviderNumbers, insertInstance, selectInstance, selectInstances } from './queries/numbers.ts';
import { selectPlan } from './queries/plans.ts';
import { lockProvider, selectProvider } from './queries/providers.ts';

const readAtOnce = 500;

/** All numbers that fit, as far as the store knows how they are, oldest first. */
export async function everyNumber({ db }: Store, filter: NumberFilter): Promise<NumberSummary[]> {
  const all: NumberSummary[] = [];
  for (let from: ListRequest<NumberSort>['from'] = null; ; ) {
    const part = { sort: 'created', descending: false, from, limit: readAtOnce } as const;
    const { rows, next } = await selectNumberPage(db, filter, 'stored', part);
    all.push(...rows);
    if (next === null) return all;
    from = { mark: next, direction: 'after' };
  }
}

/** The account's instances, oldest first. Throws OperatorError for an unknown account. */
export async function listNumbers(store: Store, accountId: string): Promise<InstanceRow[]> {
  return selectInstances(store.db, await existingAccount(store.db, accountId));
}

/** One instance, whichever account it belongs to. Throws OperatorError for an unknown id. */
export async function findNumber(store: Store, instanceId: string): Promise<InstanceRow> {
  const instance = await selectInstance(store.db, storedId(instanceId));
  if (instance === undefined) throw new OperatorError(`there is no number ${quote(instanceId)}`);
  return instance;
}

/** How many numbers there are, and how many of them need a person or were never linked, as far as the store knows. */
export async function countStandings(
  { db }: Store,
  now: number,
): Promise<{ readonly all: number; readonly needs_person: number; readonly never_linked: number }> {
  const count = (standing?: 'needs_person' | 'never_linked') => countNumbers(db, { providerIds: null, standing, now }, 'stored');
  const [all, needs_person, never_linked] = await Promise.all([count(), count('needs_person'), count('never_linked')]);
  return { all, needs_person, never_linked };
}

export interface NewInstance {
  readonly accountId: string;
  readonly id: string;
  readonly network: NetworkName;
  readonly label: string | null;
}

/**
 * Adds an unlinked instance when the account's allowance and its provider's capacity have room; exact however many are added at once.
 * Throws GatewayError `admin_free_slot_limit_reached`, `instance_limit_reached` or `activation_unavailable`, and adds nothing then.
 */
export async function addInstance(store: Store, instance: NewInstance, act: Act): Promise<InstanceRow> {
  return store.transaction((trx) => addInstanceIn(trx, instance, act));
}

/** The same as a part of a transaction. */
export async function addInstanceIn(trx: Db, instance: NewInstance, act: Act): Promise<InstanceRow> {
  // Account before provider, always: two transactions that lock both can then not wait for each other.
  const account = await lockAccount(trx, instance.accountId);
  if (account === undefined) throw new Error(`no account ${instance.accountId}`);
  const plan = account.plan_id === null ? undefined : await selectPlan(trx, account.plan_id);
  const allowed = allowance({ ...account, plan_instance_limit: plan?.instance_limit ?? null });
  requireAllowance(allowed, await countAccountNumbers(trx, account.id));

  const provider = await lockProvider(trx, account.provider_id);
  const capacity = provider?.number_capacity ?? null;
  if (capacity !== null) requireCapacity(capacity, await countProviderNumbers(trx, account.provider_id));

  const row: InstanceRow = {
    id: instance.id,
    account_id: account.id,
    network: instance.network,
    label: instance.label,
    phone_number: null,
    linked: 0,
    conflict: 0,
    restriction_reason: null,
    restriction_until: null,
    new_chats_used: null,
    new_chats_quota: null,
    new_chats_cycle_ends_at: null,
    proxy: null,
    chat_budget: null,
    chat_budget_day: null,
    chat_budget_used: 0,
    linked_at: null,
    state_event: null,
    state_at: null,
    created_at: act.now,
  };
  await insertInstance(trx, row);
  const details = changesBetween(null, { label: row.label, network: row.network }) ?? {};
  await recordAudit(trx, act, { action: 'number.create', targetId: row.id, accountId: account.id, details });
  return row;
}

/**
 * A dry run of adding instances to these accounts: each call of what it gives counts one as added, or throws GatewayError as `addInstance`
 * would. All is read before, with the turns of others in between: an embedded store reads on the thread that serves them.
 */
export async function dryRunOfInstances(db: Db, accountIds: readonly string[]): Promise<(accountId: string) => void> {
  const accounts = new Map<string, { readonly allowed: Allowance; readonly providerId: string; numbers: number }>();
  for (const ids of parts([...new Set(accountIds)], readAtOnce)) {
    for (const account of await selectAccountsOf(db, ids)) {
      accounts.set(account.id, { allowed: allowance(account), providerId: account.provider_id, numbers: account.numbers });
    }
    await othersTurn();
  }
  const providers = new Map<string, { readonly capacity: number; numbers: number }>();
  for (const id of new Set([...accounts.values()].map(({ providerId }) => providerId))) {
    const capacity = (await selectProvider(db, id))?.number_capacity ?? null;
    if (capacity !== null) providers.set(id, { capacity, numbers: await countProviderNumbers(db, id) });
    await othersTurn();
  }
  return (accountId) => {
    const account = accounts.get(accountId);
    if (account === undefined) throw new Error(`no account ${accountId}`);
    requireAllowance(account.allowed, account.numbers);
    const provider = providers.get(account.providerId);
    if (provider !== undefined) {
      requireCapacity(provider.capacity, provider.numbers);
      provider.numbers++;
    }
    account.numbers++;
  };
}

/** Throws GatewayError unless an account that has so many numbers may have one more. */
function requireAllowance({ limit, source }: Allowance, numbers: number): void {
  if (numbers < limit) return;
  const details = { instance_limit: limit, limit_source: source };
  throw source === 'free_slots'
    ? new GatewayError('admin_free_slot_limit_reached', `All ${limit} free slots of the account are taken.`, details)
    : new GatewayError('instance_limit_reached', `The account already has all ${limit} numbers it may have.`, details);
}

/** The same of a provider. */
function requireCapacity(capacity: number, numbers: number): void {
  if (numbers >= capacity) throw new GatewayError('activation_unavailable', 'The provider cannot activate another number now.');
}
