import { GatewayError, isUuid, quote, storedId } from '../../core/index.ts';
import type { Store } from '../../store/index.ts';
import { selectNamed } from '../queries.ts';

/** The ids of the account's numbers that an instance name may mean: one with this id, or all with this label. */
export async function idsNamed({ db }: Pick<Store, 'db'>, accountId: string, name: string): Promise<readonly string[]> {
  // No label has a control character, and PostgreSQL takes no text with U+0000.
  if (name === '' || /\p{Cc}/u.test(name)) return [];
  const ids = (await selectNamed(db, accountId, name)).map(({ id }) => id);
  return ids.includes(storedId(name)) ? [storedId(name)] : ids;
}

/** The id of the number that an instance name means. Throws GatewayError when there is none, or more than one. */
export async function idNamed(store: Pick<Store, 'db'>, accountId: string, name: string): Promise<string> {
  const [id, ...others] = await idsNamed(store, accountId, name);
  if (id === undefined) {
    // What was sent from a number that is gone can still be replayed.
    if (isUuid(name)) return storedId(name);
    throw new GatewayError(
      'instance_not_found',
      `The ${quote(name)} instance does not exist: the account has no number with this label or id. Create it with POST /instance/create, or give a number this label.`,
    );
  }
  if (others.length > 0) {
    throw new GatewayError(
      'invalid_request',
      `Several numbers have the label ${quote(name)}: ${[id, ...others].join(', ')}. Use the id in place of the name, or give each number a label of its own.`,
      { field: 'instance' },
    );
  }
  return id;
}
