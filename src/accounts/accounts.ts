import { type Act, changeAction, changesBetween, recordAudit, requireReach } from '../audit/index.ts';
import { Conflict, isoOrNull, newId, OperatorError, quote, storedId } from '../core/index.ts';
import { endOutlivedLinks, selectAdmins } from '../people/index.ts';
import { type AccountRow, type Authority, type Db, type Filter, type Store, unknownAccount, unknownProvider } from '../store/index.ts';
import { suspendedByOperator } from './acting.ts';
import { findPlan } from './plans.ts';
import {
  type AccountSummary,
  deleteReference,
  insertAccount,
  insertReference,
  lockExisting,
  selectAccount,
  updateAccountRow,
} from './queries/accounts.ts';
import { selectProvider } from './queries/providers.ts';
import { checkName, checkNumber, checkReference, termsAfter } from './terms.ts';

/** What an operator may set on an account; absent: unchanged, null: none. Times are epoch milliseconds and exclusive ends. */
export interface AccountChanges {
  readonly name?: string | undefined;
  readonly providerId?: string | undefined;
  readonly status?: 'active' | 'suspended' | undefined;
  /** Name or id. A plan the account does not have yet starts now, without an end unless `planEndsAt` gives one. */
  readonly plan?: string | null | undefined;
  readonly planEndsAt?: number | null | undefined;
  readonly accessEndsAt?: number | null | undefined;
  /** The account's own number limit, before the plan's. */
  readonly instanceLimit?: number | null | undefined;
  /** What the provider calls the account in its own books; no two of its accounts have the same. It ends when the account goes to another provider. */
  readonly reference?: string | null | undefined;
  /** A platform operator's own account, whose numbers are bounded by its free slots. */
  readonly operator?: boolean | undefined;
  readonly freeSlots?: number | null | undefined;
}

/** What every account begins with; its provider is the built-in one. */
const blank = {
  provider_id: 'default',
  status: 'active',
  suspended_by: null,
  plan_id: null,
  plan_starts_at: null,
  plan_ends_at: null,
  access_ends_at: null,
  instance_limit: null,
  operator: 0,
  free_slots: null,
  trial_used: 0,
} as const;

/**
 * Creates an account, active and under the provider `default` unless given otherwise. `as`: whose word a suspension is.
 * Throws OperatorError for an unknown plan or provider or a bad value.
 */
export async function createAccount(
  store: Store,
  account: AccountChanges & { readonly name: string },
  act: Act,
  as: Authority = 'operator',
): Promise<AccountSummary> {
  return store.transaction((trx) => addAccount(trx, account, act, as));
}

/** The same within a transaction that does more. */
export async function addAccount(
  trx: Db,
  account: AccountChanges & { readonly name: string },
  act: Act,
  as: Authority,
): Promise<AccountSummary> {
  checkNumbers(account);
  const row = await changed(trx, { ...blank, id: newId(), name: '', created_at: act.now }, account, act.now, as);
  await insertAccount(trx, row);
  if (account.reference != null) await setReference(trx, row, account.reference);
  const created = await summary(trx, row.id);
  const details = changesBetween(null, audited(created)) ?? {};
  await recordAudit(trx, act, { action: 'account.create', targetId: row.id, accountId: row.id, details });
  return created;
}

/**
 * Changes what is given, from the account's next request on. The trial's counter stays, whatever plan follows, so that a trial cannot be
 * had twice. Throws OperatorError for an unknown account, plan or provider or a bad value, and GatewayError `account_suspended` when a provider's
 * admin changes what an operator suspended.
 */
export async function updateAccount(
  store: Store,
  id: string,
  changes: AccountChanges,
  act: Act,
  as: Authority = 'operator',
): Promise<AccountSummary> {
  checkNumbers(changes);
  return store.transaction(async (trx) => {
    const found = await lockExisting(trx, storedId(id));
    // Also when nothing changes: the answer is the account.
    await requireReach(trx, act.actor, { action: 'account.update', targetId: found.id });
    if (as === 'provider' && found.suspended_by === 'operator') throw suspendedByOperator();
    const before = await summary(trx, found.id);
    // The trial's counter belongs to the hot path; writing it back could undo a count.
    const { id: stored, trial_used, ...columns } = await changed(trx, found, changes, act.now, as);
    const moved = columns.provider_id !== found.provider_id;
    // Before a new name is stored: the former provider must not find its entry by that.
    if (moved) await recordReference(trx, act, before, null);
    await updateAccountRow(trx, stored, columns);
    // What the old provider's admins invited people to is no longer theirs.
    const former = moved ? await selectAdmins(trx, found.provider_id) : [];
    for (const { id } of former) await endOutlivedLinks(trx, [id], act.now);
    // What one provider calls it is nothing to the next.
    const reference = changes.reference === undefined && moved ? null : changes.reference;
    if (reference !== undefined) await setReference(trx, { id: stored, provider_id: columns.provider_id }, reference);
    const after = await summary(trx, stored);
    await recordReference(trx, act, moved ? { ...after, reference: null } : before, after.reference);
    const details =
      changesBetween(audited(before), audited(after)) ??
      changesBetween({ suspended_by: before.suspended_by }, { suspended_by: after.suspended_by });
    if (details !== null)
      await recordAudit(trx, act, { action: changeAction('account', details), targetId: stored, accountId: stored, details });
    return after;
  });
}

/** One account with its plan, provider and counts. Throws OperatorError for an unknown id. */
export function showAccount(store: Store, id: string): Promise<AccountSummary> {
  return summary(store.db, id);
}

async function summary(db: Db, id: string): Promise<AccountSummary> {
  const account = await selectAccount(db, storedId(id));
  if (account === undefined) throw unknownAccount(id);
  return account;
}

/** The row with the changes applied and checked as a whole. */
async function changed(db: Db, row: AccountRow, changes: AccountChanges, now: number, as: Authority): Promise<AccountRow> {
  const given = <T>(change: T | undefined, current: T): T => (change === undefined ? current : change);
  const operator = given(changes.operator, row.operator !== 0);
  const status = given(changes.status, row.status);
  const next: AccountRow = {
    ...row,
    name: changes.name === undefined ? row.name : checkName(changes.name),
    status,
    // An operator who suspends what the provider had suspended already keeps the provider from resuming it.
    suspended_by: status === 'active' ? null : changes.status === 'suspended' ? as : row.suspended_by,
    instance_limit: given(changes.instanceLimit, row.instance_limit),
    operator: operator ? 1 : 0,
    free_slots: given(changes.freeSlots, operator ? row.free_slots : null),
  };
  if (operator && next.free_slots === null)
    throw new OperatorError("an operator's own account needs its number of free slots", { field: 'free_slots' });
  if (!operator && next.free_slots !== null)
    throw new OperatorError("only an operator's own account has free slots", { field: 'free_slots' });

  if (changes.providerId !== undefined) {
    const provider = await selectProvider(db, storedId(changes.providerId));
    if (provider === undefined) throw unknownProvider(changes.providerId);
    next.provider_id = provider.id;
  }

  const { plan, planEndsAt, accessEndsAt } = changes;
  const planId = plan == null ? plan : (await findPlan(db, plan)).id;
  const terms = termsAfter(row, { planId, planEndsAt, accessEndsAt }, now);
  if (planEndsAt != null && terms.plan_id === null)
    throw new OperatorError('the account has no plan whose end could be set', { field: 'plan_ends_at' });
  return { ...next, ...terms };
}

/** A provider's own name for an account concerns that provider alone: neither the account's people nor another provider read it in the audit log. */
async function recordReference(trx: Db, act: Act, before: AccountSummary, reference: string | null): Promise<void> {
  const details = changesBetween({ reference: before.reference }, { reference });
  if (details === null) return;
  await recordAudit(trx, act, { action: 'account.update', targetId: before.id, providerId: before.provider_id, details });
}

function audited(account: AccountSummary) {
  return {
    name: account.name,
    provider_id: account.provider_id,
    status: account.status,
    // By name: the plan may be called something else when this is read.
    plan: account.plan_name,
    plan_starts_at: isoOrNull(account.plan_starts_at),
    plan_ends_at: isoOrNull(account.plan_ends_at),
    access_ends_at: isoOrNull(account.access_ends_at),
    instance_limit: account.instance_limit,
    operator: account.operator !== 0,
    free_slots: account.free_slots,
  };
}

function checkNumbers(changes: AccountChanges): void {
  checkNumber('instanceLimit', changes.instanceLimit);
  checkNumber('freeSlots', changes.freeSlots);
}

/** Stores what a provider calls an account in its own books; null: nothing. Throws OperatorError for a bad text, and Conflict when another of its accounts is called so. */
async function setReference(trx: Db, account: { id: string; provider_id: string }, text: string | null): Promise<void> {
  await deleteReference(trx, account.id);
  if (text === null) return;
  const reference = checkReference(text);
  // The database decides, not a look beforehand: two at once cannot both find it free.
  if (!(await insertReference(trx, { account_id: account.id, provider_id: account.provider_id, reference })))
    throw new Conflict(`another account of the provider has the reference ${quote(reference)}`);
}

/** One account; undefined when it does not exist or belongs to another provider. */
export async function findAccount(
  store: Store,
  id: string,
  { providerIds }: Pick<Filter, 'providerIds'>,
): Promise<AccountSummary | undefined> {
  const account = await selectAccount(store.db, storedId(id));
  return account !== undefined && (providerIds === null || providerIds.includes(account.provider_id)) ? account : undefined;
}
