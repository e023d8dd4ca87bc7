import type { Act } from '../audit/index.ts';
import { Conflict, isRefusal, storedId } from '../core/index.ts';
import { inviteWithin, type NewLink, type SeenBy } from '../people/index.ts';
import type { Authority, Db, PlanRow, Store } from '../store/index.ts';
import { type AccountChanges, addAccount } from './accounts.ts';
import { type ImportRow, readAccountTable } from './import-table.ts';
import { defaultPlanOf, listPlans } from './plans.ts';
import { type AccountSummary, isAccountNamed, selectKnownAccounts } from './queries/accounts.ts';
import { lockProvider } from './queries/providers.ts';

/** A line of the file with what would become of it. */
export interface CheckedRow extends Omit<ImportRow, 'plan'> {
  /** `exists`: the provider has such an account, by its reference or, without one, by its name. */
  readonly state: 'ready' | 'exists' | 'mistaken';
  /** The id of the plan; null: none. */
  readonly plan: string | null;
  /** Of the account that exists. */
  readonly accountId: string | null;
}

/**
 * Reads a file of accounts and what would become of each line at this provider; changes nothing. An account that exists is not made again, so
 * a file can be imported twice. Throws OperatorError for a file that is no table of accounts, or an unknown provider.
 */
export async function checkAccountTable(store: Store, text: string, providerId: string): Promise<CheckedRow[]> {
  const rows = readAccountTable(text);
  const usual = await defaultPlanOf(store.db, providerId);
  const plans = await listPlans(store);
  const known = await selectKnownAccounts(store.db, storedId(providerId));
  const byReference = new Map(known.flatMap(({ id, reference }) => (reference === null ? [] : [[reference, id]])));
  const byName = new Map(known.map(({ id, name }) => [name.toLowerCase(), id]));
  const lines = new Map<string, number>();
  return rows.map((row) => {
    const mistakes = [...row.mistakes];
    const plan = planOf(row, plans, usual, mistakes);
    // As in the store: what has no reference is known by its name, and that is also taken by an account with a reference.
    const byItsName = `name ${row.name.toLowerCase()}`;
    const own = row.reference === null ? byItsName : `reference ${row.reference}`;
    const earlier = lines.get(own);
    lines.set(own, earlier ?? row.line);
    // One that exists keeps the name it has there.
    const isNew = row.reference !== null && earlier === undefined && !byReference.has(row.reference);
    if (isNew && !lines.has(byItsName)) lines.set(byItsName, row.line);
    if (earlier !== undefined) mistakes.push(`It is the same account as in line ${earlier}.`);
    const accountId = (row.reference === null ? byName.get(row.name.toLowerCase()) : byReference.get(row.reference)) ?? null;
    const state = mistakes.length > 0 ? 'mistaken' : accountId === null ? 'ready' : 'exists';
    return { ...row, plan, mistakes, state, accountId };
  });
}

function planOf({ plan, planEndsAt }: ImportRow, plans: readonly PlanRow[], usual: PlanRow | null, mistakes: string[]): string | null {
  const found =
    plan === undefined ? usual : plan === null ? null : (plans.find(({ id, name }) => name === plan || id === storedId(plan)) ?? null);
  if (typeof plan === 'string' && found === null) {
    const names = plans.map(({ name }) => name).join(', ');
    mistakes.push(`plan: there is no plan ${JSON.stringify(plan.slice(0, 100))}; the plans are ${names}.`);
  } else if (found === null && planEndsAt !== null) mistakes.push('plan_ends: there is no plan that could end.');
  return found?.id ?? null;
}

/** What became of a line. */
export type ImportedRow =
  | { readonly row: CheckedRow; readonly made: NewCustomer; readonly failure: null }
  | { readonly row: CheckedRow; readonly made: null; readonly failure: string };

/** Makes the account of a line with its owner's invitation, both or neither; why not stands in the result. Throws StoreUnavailable. */
export async function importAccount(
  store: Store,
  row: CheckedRow,
  providerId: string,
  { act, as, seenBy }: { readonly act: Act; readonly as: Authority; readonly seenBy: SeenBy },
): Promise<ImportedRow> {
  const { name, reference, plan, planEndsAt, accessEndsAt, instanceLimit } = row;
  const account = {
    name,
    providerId,
    ...(reference === null ? {} : { reference }),
    ...(plan === null ? {} : { plan, planEndsAt }),
    accessEndsAt,
    instanceLimit,
  };
  try {
    const made = await store.transaction(async (trx) => {
      if (reference === null) await requireNewName(trx, providerId, name);
      return addCustomer(trx, account, { email: row.ownerEmail, seenBy }, act, as);
    });
    return { row, made, failure: null };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return { row, made: null, failure: `${error.message}.` };
  }
}

/** Imports of one file at once take turns: the second finds what the first has made. A reference is looked at where it is stored. */
async function requireNewName(trx: Db, providerId: string, name: string): Promise<void> {
  await lockProvider(trx, providerId);
  if (await isAccountNamed(trx, providerId, name)) throw new Conflict('the provider has got an account of this name meanwhile');
}

/** The first owner of an account; email null: nobody is invited. */
interface Invited {
  readonly email: string | null;
  readonly seenBy: SeenBy;
}

/** An account with the invitation of its first owner. */
export interface NewCustomer {
  readonly account: AccountSummary;
  /** null: nobody was invited. */
  readonly invitation: NewLink | null;
}

/**
 * Creates an account and invites its first owner, both or neither. `seenBy`: whether somebody sees the link besides the mailbox. Throws like
 * `createAccount` and `invite`.
 */
export async function createCustomer(
  store: Store,
  account: AccountChanges & { readonly name: string },
  owner: Invited,
  act: Act,
  as: Authority,
): Promise<NewCustomer> {
  return store.transaction((trx) => addCustomer(trx, account, owner, act, as));
}

async function addCustomer(
  trx: Db,
  account: AccountChanges & { readonly name: string },
  { email, seenBy }: Invited,
  act: Act,
  as: Authority,
): Promise<NewCustomer> {
  const made = await addAccount(trx, account, act, as);
  if (email === null) return { account: made, invitation: null };
  const place = { role: 'owner', accountId: made.id, providerId: null } as const;
  return { account: made, invitation: await inviteWithin(trx, email, place, act, seenBy) };
}
