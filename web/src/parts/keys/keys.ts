import { queryOptions } from '@tanstack/react-query';
import type { KeyView } from '../../../../src/portal/wire/account.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { type ListSearch, listQuery } from '../list/use-list.ts';

export const keysPath = '/portal/api/keys';

/** A page of the account's keys; without a filter those in use. */
export function keysQuery(accountId: string, search: ListSearch) {
  return listQuery(accountKey(accountId, 'keys'), keysPath, { state: 'in_use', ...search }, accountId);
}

/** One key of an account, with who made it. */
export function keyQuery(accountId: string, keyId: string) {
  return queryOptions({
    // Follows what happens to the keys.
    queryKey: accountKey(accountId, 'keys', keyId),
    queryFn: ({ signal }) => call('GET /portal/api/keys/:id', { params: { id: keyId }, account: accountId, signal }),
  });
}

/** How a key is spoken of. */
export function keyName({ label, prefix }: Pick<KeyView, 'label' | 'prefix'>): string {
  return label ?? prefix;
}
