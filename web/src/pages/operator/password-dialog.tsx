import { Button, Group, Stack, Text } from '@mantine/core';
import type { UserView } from '../../../../src/portal/wire/operator.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { HandedLink } from '../../parts/handed-link.tsx';
import { useChange } from '../../parts/use-change.ts';

interface PasswordDialogProps {
  readonly opened: boolean;
  readonly user: UserView;
  onClose(): void;
}

/** Makes a link to choose a new password; it is shown once. */
export function PasswordDialog({ opened, user, onClose }: PasswordDialogProps) {
  const make = useChange(() => call('POST /portal/api/operator/users/:id/password-reset', { params: { id: user.user_id }, body: {} }));
  const { data: made } = make;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={make.reset}
      title={t('New password for {{name}}', { name: user.name })}
      busy={make.isPending}
      shownOnce={made !== undefined}
    >
      <Stack>
        {made === undefined ? (
          <>
            <Text size="sm">
              {t(
                'This creates a link that lets {{name}} choose a new password. The old password keeps working until the link is used; then they are signed out everywhere else.',
                { name: user.name },
              )}
            </Text>
            <Text size="sm">
              {t('Make sure that it is really {{name}} who asks: whoever has the link can sign in as them.', { name: user.name })}
            </Text>
            <FailureAlert error={make.error} />
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose} disabled={make.isPending}>
                {t('Cancel')}
              </Button>
              <Button onClick={() => make.mutate(undefined)} loading={make.isPending} data-autofocus>
                {t('Create link')}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <HandedLink link={made.link} email={user.email} mailed={made.mailed} expiresAt={made.expires_at} label={t('password link')} />
            <Group justify="flex-end">
              <Button onClick={onClose} autoFocus>
                {t('Done')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
