import { OperatorError, quote, storedId } from '../core/index.ts';
import { existingAccount, type InstanceRow, type ListRequest, type Store } from '../store/index.ts';
import { countNumbers, type NumberFilter, type NumberSort, type NumberSummary, selectNumberPage } from './queries/number-list.ts';
import { selectInstance, selectInstances } from './queries/numbers.ts';

const readAtOnce = 500;

/** All numbers that fit, as far as the store knows how they are, oldest first. */
export async function everyNumber({ db, dialect }: Store, filter: NumberFilter): Promise<NumberSummary[]> {
  const all: NumberSummary[] = [];
  for (let from: ListRequest<NumberSort>['from'] = null; ; ) {
    const part = { sort: 'created', descending: false, from, limit: readAtOnce } as const;
    const { rows, next } = await selectNumberPage(db, filter, { links: 'stored', dialect }, part);
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

/** How many numbers need a person, and how many were never linked, as far as the store knows. */
export async function countStandings(
  { db, dialect }: Store,
  now: number,
): Promise<{ readonly needs_person: number; readonly never_linked: number }> {
  const count = (standing: 'needs_person' | 'never_linked') =>
    countNumbers(db, { providerIds: null, standing, now }, { links: 'stored', dialect });
  const [needs_person, never_linked] = await Promise.all([count('needs_person'), count('never_linked')]);
  return { needs_person, never_linked };
}
