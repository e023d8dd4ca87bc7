import type { Clock } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { owedWrites } from '../queries.ts';
import { type Finding, ok, warn } from './check.ts';

/** Most debts are paid within seconds of the store's return. */
const patienceMs = 10 * 60_000;

/** What could not be written when it was due, and is still owed. */
export async function owed({ clock }: { readonly clock: Clock }, store: Store): Promise<Finding> {
  const { count, oldestAt } = await owedWrites(store.db);
  if (count === 0 || oldestAt === null) return ok('owed writes', 'nothing is owed');
  const since = `${count === 1 ? 'one write is' : `${count} writes are`} owed, the oldest since ${new Date(oldestAt).toISOString()}`;
  return clock.now() - oldestAt < patienceMs
    ? ok('owed writes', since)
    : warn(
        'owed writes',
        since,
        'a running server tries again automatically; its log says why it fails. Until then counts of sends and trials lag behind',
      );
}
