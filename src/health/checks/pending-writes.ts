import type { Clock } from '../../core/index.ts';
import { sumOfPendingWrites } from '../../outbox/index.ts';
import type { Store } from '../../store/index.ts';
import { type Finding, ok, warn } from './check.ts';

/** Most pending writes are done within seconds of the store's return. */
const patienceMs = 10 * 60_000;

/** Writes that failed when they were due, and have not succeeded yet. */
export async function pendingWrites({ clock }: { readonly clock: Clock }, store: Store): Promise<Finding> {
  const { count, oldestAt } = await sumOfPendingWrites(store.db);
  if (count === 0 || oldestAt === null) return ok('pending writes', 'no write is pending');
  const since = `${count === 1 ? 'one write is' : `${count} writes are`} pending, the oldest since ${new Date(oldestAt).toISOString()}`;
  return clock.now() - oldestAt < patienceMs
    ? ok('pending writes', since)
    : warn(
        'pending writes',
        since,
        'a running server tries again automatically; its log says why it fails. Until then counts of sends and trials lag behind',
      );
}
