import { queryOptions } from '@tanstack/react-query';
import type { MemberView } from '../../../../src/portal/wire/account.ts';
import type { Role } from '../../../../src/portal/wire/session.ts';
import { call } from '../../api/client.ts';
import { accountKey } from '../../api/queries.ts';
import { t } from '../../language/language.ts';
import { useSession } from '../../session/session.ts';
import { useChange } from '../use-change.ts';

// The members' endpoints serve owners on their account page and operators on theirs, so every request names the account.

type Member = Pick<MemberView, 'user_id' | 'name'>;

export interface AccountOfPeople {
  readonly account_id: string;
  readonly name: string;
}

export function membersQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'members'),
    queryFn: ({ signal }) => call('GET /portal/api/members', { account: accountId, signal }),
  });
}

export function memberQuery(accountId: string, userId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'members', userId),
    queryFn: ({ signal }) => call('GET /portal/api/members/:id', { params: { id: userId }, account: accountId, signal }),
  });
}

/** One invitation to the account, whatever became of it. */
export function ownInvitationQuery(accountId: string, invitationId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'invitations', invitationId),
    queryFn: ({ signal }) => call('GET /portal/api/members/invitations/:id', { params: { id: invitationId }, account: accountId, signal }),
  });
}

/** Invites somebody to the account; the answer holds the link, which is told only then. */
export function inviteMember(account: AccountOfPeople, fields: { readonly email: string; readonly role: Role }) {
  return call('POST /portal/api/members', { body: fields, account: account.account_id });
}

export function useChangeRole({ account_id: account }: AccountOfPeople, onDone: () => void) {
  const { user } = useSession();
  const give = ({ member, role }: { readonly member: Member; readonly role: Role }) =>
    call('PATCH /portal/api/members/:id', { params: { id: member.user_id }, body: { role }, account });
  return useChange(give, {
    // There are two roles. Who gave up their own may not take it back.
    back: ({ member, role }) =>
      member.user_id === user.user_id ? null : () => give({ member, role: role === 'owner' ? 'member' : 'owner' }),
    said: (_, { member, role }) =>
      role === 'owner' ? t('{{name}} is now an owner.', { name: member.name }) : t('{{name}} is now a member.', { name: member.name }),
    onDone,
  });
}

interface RemoveOptions {
  readonly leave: (() => Promise<void>) | undefined;
  onDone(): void;
}

/** Takes a member out of the account. */
export function useRemove({ account_id: account, name: accountName }: AccountOfPeople, { leave, onDone }: RemoveOptions) {
  return useChange(({ user_id }: Member) => call('DELETE /portal/api/members/:id', { params: { id: user_id }, account }), {
    said: (_, { name }) => t('{{name}} has been removed from {{accountName}}.', { name, accountName }),
    leave,
    onDone,
  });
}
