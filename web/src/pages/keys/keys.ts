import { queryOptions } from '@tanstack/react-query';
import type { KeysView, KeyView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';

/** The account's keys: those that work first, each group with the newest first. */
export function keysQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'keys'),
    async queryFn({ signal }): Promise<KeysView> {
      const view = await call<KeysView>('/portal/api/keys', { account: accountId, signal });
      return { ...view, keys: sorted(view.keys) };
    },
  });
}

/** How a key is spoken of. */
export function keyName({ label, prefix }: Pick<KeyView, 'label' | 'prefix'>): string {
  return label ?? prefix;
}

function sorted(keys: readonly KeyView[]): readonly KeyView[] {
  return keys.toSorted((a, b) => {
    const revoked = Number(a.revoked_at !== null) - Number(b.revoked_at !== null);
    return revoked === 0 ? b.created_at.localeCompare(a.created_at) : revoked;
  });
}
