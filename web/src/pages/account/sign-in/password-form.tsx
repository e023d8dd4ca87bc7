import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { hasLength, isNotEmpty, matchesField } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { t } from '../../../language/language.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { useSentForm } from '../../../parts/use-sent-form.ts';
import { useSession } from '../../../session/session.ts';
import { browsersQuery } from './browsers-query.ts';
import { Card } from './card.tsx';

const fewest = 10;

/** Changes the person's password. */
export function PasswordForm() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (fields: { readonly currentPassword: string; readonly newPassword: string }) =>
      call('POST /portal/auth/change-password', { body: fields }),
    onSuccess() {
      form.reset();
      notifications.show({ message: t('Your password has been changed. Your other browsers have been signed out.') });
      void queryClient.invalidateQueries(browsersQuery);
    },
  });
  const { form, submit, failed } = useSentForm(change, {
    initialValues: { currentPassword: '', newPassword: '', again: '' },
    transformValues: ({ currentPassword, newPassword }) => ({ currentPassword, newPassword }),
    validate: {
      currentPassword: isNotEmpty(t('Enter your current password.')),
      newPassword: hasLength({ min: fewest }, t('At least {{fewest}} characters.', { fewest })),
      again: matchesField('newPassword', t('The passwords do not match.')),
    },
  });
  return (
    <Card title={t('Password')} text={t('Changing it signs you out everywhere else.')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {/* Tells password managers whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            {...form.getInputProps('currentPassword')}
            label={t('Current password')}
            autoComplete="current-password"
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': t('Show the current password') }}
          />
          <PasswordInput
            {...form.getInputProps('newPassword')}
            label={t('New password')}
            description={t('At least {{fewest}} characters.', { fewest })}
            autoComplete="new-password"
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': t('Show the new password') }}
          />
          <PasswordInput
            {...form.getInputProps('again')}
            label={t('New password again')}
            autoComplete="new-password"
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': t('Show the repeated password') }}
          />
          <FailureAlert error={failed.error} />
          <Group>
            <Button type="submit" variant="default" loading={change.isPending}>
              {t('Change password')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
