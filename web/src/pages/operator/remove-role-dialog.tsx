import { Text } from '@mantine/core';
import type { UserView } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { useChange } from '../../parts/use-change.ts';
import { type Membership, membershipText } from './words.ts';

interface RemoveRoleDialogProps {
  readonly opened: boolean;
  readonly user: UserView;
  readonly membership: Membership;
  onClose(): void;
}

/** Removes one of a person's roles, after a warning. */
export function RemoveRoleDialog({ opened, user, membership, onClose }: RemoveRoleDialogProps) {
  const { role, account_id, provider_id } = membership;
  const text = membershipText(membership);
  const remove = useChange(
    () =>
      call('DELETE /portal/api/operator/users/:id/memberships', {
        params: { id: user.user_id },
        body: { role, account_id, provider_id },
      }),
    { said: () => t('{{name}} is no longer {{role}}.', { name: user.name, role: text }), onDone: onClose },
  );
  return (
    <ConfirmDialog
      opened={opened}
      title={t('Remove role: {{role}}?', { role: text })}
      confirm={t('Remove role')}
      change={remove}
      onConfirm={() => remove.mutate(undefined)}
      onClose={onClose}
    >
      <Text size="sm">
        {t(
          '{{name}} ({{email}}) loses this role from their next click on. Their other roles and their sign-in stay; keys they created keep working.',
          { name: user.name, email: user.email },
        )}
      </Text>
    </ConfirmDialog>
  );
}
