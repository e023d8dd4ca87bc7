import type { Clock } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { lostConnections } from '../queries.ts';
import { type Finding, ok, warn } from './check.ts';

/** A connection that is lost for so long does not come back in a moment. */
const patienceMs = 10 * 60_000;

/** Numbers that are linked and have been without a connection for some time; those that wait for a person are not among them. */
export async function droppedNumbers({ clock }: { readonly clock: Clock }, store: Store): Promise<Finding> {
  const { count, since } = await lostConnections(store.db, clock.now() - patienceMs);
  if (count === 0 || since === null) return ok('connections', 'no linked number has been without a connection for more than 10 minutes');
  const numbers = count === 1 ? 'a linked number has' : `${count} linked numbers have`;
  return warn(
    'connections',
    `${numbers} been without a connection for more than 10 minutes, the longest since ${new Date(since).toISOString()}`,
    'if it is one, see its page or gateway number show; if there are many, check whether this machine reaches WhatsApp',
  );
}
