import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../../api/client.ts';
import { FailureAlert } from '../../../parts/failure-alert.tsx';
import { useSession } from '../../../session/session.ts';
import { browsersQuery } from './browsers-query.ts';
import { Card } from './card.tsx';

/** The fewest characters a password has. */
const fewest = 10;

/** Changes the person's password. */
export function PasswordForm() {
  const { user } = useSession();
  const queryClient = useQueryClient();
  const [unlike, setUnlike] = useState(false);
  const change = useMutation({
    mutationFn: (fields: { readonly currentPassword: string; readonly newPassword: string }) =>
      call('/portal/auth/change-password', { method: 'POST', body: fields }),
    onSuccess() {
      notifications.show({ message: 'Your password is changed. Your other browsers are signed out.' });
      void queryClient.invalidateQueries(browsersQuery);
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const newPassword = String(fields.get('new'));
    const same = newPassword === String(fields.get('again'));
    setUnlike(!same);
    if (same) change.mutate({ currentPassword: String(fields.get('current')), newPassword }, { onSuccess: () => form.reset() });
  };
  return (
    <Card title="Password" text="Changing it signs you out everywhere else.">
      <form onSubmit={submit}>
        <Stack gap="sm">
          {/* Tells password managers whose password this is. */}
          <input type="hidden" name="username" autoComplete="username" value={user.email} readOnly />
          <PasswordInput
            name="current"
            label="Current password"
            autoComplete="current-password"
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
          />
          <PasswordInput
            name="new"
            label="New password"
            description={`At least ${fewest} characters.`}
            autoComplete="new-password"
            minLength={fewest}
            maxLength={128}
            required
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
          />
          <PasswordInput
            name="again"
            label="New password again"
            autoComplete="new-password"
            maxLength={128}
            required
            error={unlike ? 'This is not the same as above' : undefined}
            onChange={() => setUnlike(false)}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the repeated password' }}
          />
          <FailureAlert error={change.error} />
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
