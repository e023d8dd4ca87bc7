import type { Act } from '../audit/index.ts';
import { inviteWithin, type NewLink, type SeenBy } from '../people/index.ts';
import type { Authority, Store } from '../store/index.ts';
import { type AccountChanges, addAccount } from './accounts.ts';
import type { AccountSummary } from './queries/accounts.ts';

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
  owner: { readonly email: string | null; readonly seenBy: SeenBy },
  act: Act,
  as: Authority,
): Promise<NewCustomer> {
  return store.transaction(async (trx) => {
    const made = await addAccount(trx, account, act, as);
    if (owner.email === null) return { account: made, invitation: null };
    const place = { role: 'owner', accountId: made.id, providerId: null } as const;
    return { account: made, invitation: await inviteWithin(trx, owner.email, place, act, owner.seenBy) };
  });
}
