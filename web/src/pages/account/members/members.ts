import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { InvitationView, MemberView, NewInvitationView } from '../../../../../src/portal/wire/index.ts';
import { call } from '../../../api/client.ts';
import { accountKey } from '../../../api/queries.ts';
import { useAccountId } from '../../../session/session.ts';

const base = '/portal/api/members';

/** Who belongs to the account, and who is invited. */
export function membersQuery(accountId: string) {
  return queryOptions({
    queryKey: accountKey(accountId, 'members'),
    queryFn: ({ signal }) =>
      call<{ readonly members: readonly MemberView[]; readonly invitations: readonly InvitationView[] }>(base, {
        account: accountId,
        signal,
      }),
  });
}

/** A role that an account gives. */
export type AccountRole = 'owner' | 'member';

/** Invites somebody; the answer holds the link, which is told only then. */
export function useInvite() {
  return useMemberChange((fields: { readonly email: string; readonly role: AccountRole }) =>
    call<NewInvitationView>(base, { method: 'POST', body: fields }),
  );
}

/** Takes an unused invitation back. */
export function useWithdraw() {
  return useMemberChange(
    ({ invitation_id }: InvitationView) => call(`${base}/invitations/${encodeURIComponent(invitation_id)}`, { method: 'DELETE' }),
    (_, { email }) => void notifications.show({ message: `The invitation of ${email} is withdrawn.` }),
  );
}

/** Gives a member another role. */
export function useChangeRole(onDone: () => void) {
  return useMemberChange(
    ({ member, role }: { readonly member: MemberView; readonly role: AccountRole }) =>
      call(pathOf(member), { method: 'PATCH', body: { role } }),
    (_, { member, role }) => {
      notifications.show({ message: `${member.name} is ${role === 'owner' ? 'an owner' : 'a member'} now.` });
      onDone();
    },
  );
}

/** Takes a member out of the account. */
export function useRemove(onDone: () => void) {
  return useMemberChange(
    (member: MemberView) => call(pathOf(member), { method: 'DELETE' }),
    (_, { name }) => {
      notifications.show({ message: `${name} is removed from the account.` });
      onDone();
    },
  );
}

function pathOf({ user_id }: MemberView): string {
  return `${base}/${encodeURIComponent(user_id)}`;
}

function useMemberChange<Asked, Answer>(ask: (asked: Asked) => Promise<Answer>, onDone?: (answer: Answer, asked: Asked) => void) {
  const queryClient = useQueryClient();
  const accountId = useAccountId();
  return useMutation({
    mutationFn: ask,
    async onSuccess(answer, asked) {
      void queryClient.invalidateQueries({ queryKey: accountKey(accountId, 'audit') });
      const refreshed = queryClient.invalidateQueries(membersQuery(accountId));
      if (onDone === undefined) return;
      // A dialog that closes shows the page with the change already in it.
      await refreshed;
      onDone(answer, asked);
    },
  });
}
