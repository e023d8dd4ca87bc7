import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { MemberView } from '../../../../src/portal/wire/account.ts';
import { ApiError } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { sessionQuery, useSession } from '../../session/session.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import { type AccountOfPeople, useChangeRole, useRemove } from './members.ts';

/** A question about a member that a dialog asks. */
export interface MemberQuestion {
  readonly member: Pick<MemberView, 'user_id' | 'name'>;
  /** The new role, or the removal. */
  readonly change: 'owner' | 'member' | 'remove';
}

interface MemberDialogProps {
  readonly opened: boolean;
  readonly account: AccountOfPeople;
  readonly question: MemberQuestion;
  /** Leaves the page on which this is asked, where that is the member's own. */
  readonly leave?: () => Promise<void>;
  onClose(): void;
}

/** Asks for confirmation before a member's role is changed or removed. */
export function MemberDialog({ opened, account, question: { member, change }, leave, onClose }: MemberDialogProps) {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const own = member.user_id === user.user_id;
  const done = () => {
    onClose();
    // The person's own rights have changed, and with them what this page may show.
    if (own) void queryClient.invalidateQueries(sessionQuery);
  };
  const changeRole = useChangeRole(account, done);
  const remove = useRemove(account, { leave, onDone: done });
  const { title, confirm, text } = wordsFor(member, change, own, account);
  return (
    <ConfirmDialog
      opened={opened}
      title={title}
      confirm={confirm}
      danger={change === 'remove' || own}
      change={{ error: inPlainWords(changeRole.error ?? remove.error), isPending: changeRole.isPending || remove.isPending }}
      onConfirm={() => (change === 'remove' ? remove.mutate(member) : changeRole.mutate({ member, role: change }))}
      onClose={onClose}
    >
      <Text size="sm">{text}</Text>
    </ConfirmDialog>
  );
}

function wordsFor({ name }: MemberQuestion['member'], change: MemberQuestion['change'], own: boolean, { name: account }: AccountOfPeople) {
  switch (change) {
    case 'owner':
      return {
        title: t('Make {{name}} an owner?', { name }),
        confirm: t('Make an owner'),
        text: t('{{name}} may then invite people to {{account}}, change their roles and remove anybody.', { name, account }),
      };
    case 'member':
      return {
        title: own ? t('Give up being an owner?') : t('Make {{name}} a member?', { name }),
        confirm: t('Make a member'),
        text: own
          ? t(
              'You can still use everything in {{account}}, but no longer decide who belongs to it. Only another owner can make you an owner again.',
              { account },
            )
          : t('{{name}} can still use everything in {{account}}, but no longer decide who belongs to it.', { name, account }),
      };
    case 'remove':
      return {
        title: own ? t('Leave the account?') : t('Remove {{name}}?', { name }),
        confirm: own ? t('Leave') : t('Remove'),
        text: own
          ? t(
              'From your next click on you can no longer open {{account}}. Only an owner can invite you again. API keys you created keep working.',
              { account },
            )
          : t(
              'From the next click on {{name}} can no longer open {{account}}. API keys they created keep working: revoke those they know.',
              { name, account },
            ),
      };
  }
}

function inPlainWords(error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'conflict') return error;
  return error.inWords(t('An account keeps at least one owner. Make somebody else an owner first.'));
}
