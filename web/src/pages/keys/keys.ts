import type { KeyView } from '../../../../src/portal/wire/index.ts';
import { accountKey } from '../../api/queries.ts';
import { type ListSearch, listQuery } from '../../parts/list/use-list.ts';

export const keysPath = '/portal/api/keys';

/** A page of the account's keys; without a filter those in use. */
export function keysQuery(accountId: string, search: ListSearch = {}) {
  return listQuery<KeyView>(accountKey(accountId, 'keys'), keysPath, { sort: '-created', state: 'in_use', ...search }, accountId);
}

/** How a key is spoken of. */
export function keyName({ label, prefix }: Pick<KeyView, 'label' | 'prefix'>): string {
  return label ?? prefix;
}
