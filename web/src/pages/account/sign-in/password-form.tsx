import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { hasLength, isNotEmpty, matchesField } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { useSentForm } from '../../../parts/use-sent-form.ts';
import { useSession } from '../../../session/session.ts';
import { browsersQuery } from './browsers-query.ts';
import { Card } from './card.tsx';

/** The fewest characters a password has. */
const fewest = 10;

/** Changes the person's password. */
export function PasswordForm() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (fields: { readonly currentPassword: string; readonly newPassword: string }) =>
      call('/portal/auth/change-password', { method: 'POST', body: fields }),
    onSuccess() {
      form.reset();
      notifications.show({ message: 'Your password is changed. Your other browsers are signed out.' });
      void queryClient.invalidateQueries(browsersQuery);
    },
  });
  const { form, submit, failed } = useSentForm(change, {
    initialValues: { currentPassword: '', newPassword: '', again: '' },
    transformValues: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    validate: {
      currentPassword: isNotEmpty('Enter your current password.'),
      newPassword: hasLength({ min: fewest }, `At least ${fewest} characters.`),
      again: matchesField('newPassword', 'This is not the same as above.'),
    },
  });
  return (
    <Card title="Password" text="Changing it signs you out everywhere else.">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {/* Tells password managers whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            {...form.getInputProps('currentPassword')}
            label="Current password"
            autoComplete="current-password"
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
          />
          <PasswordInput
            {...form.getInputProps('newPassword')}
            label="New password"
            description={`At least ${fewest} characters.`}
            autoComplete="new-password"
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
          />
          <PasswordInput
            {...form.getInputProps('again')}
            label="New password again"
            autoComplete="new-password"
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show the repeated password' }}
          />
          <FailureAlert error={failed.error} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
