import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { PasswordResetView, UserView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { FailureAlert } from '../../parts/failure-alert.tsx';
import { HandedLink } from '../../parts/handed-link.tsx';
import { useChange } from './use-change.ts';

interface PasswordDialogProps {
  readonly opened: boolean;
  readonly user: UserView;
  onClose(): void;
}

/** Makes a link with which somebody chooses a new password; it is shown once. */
export function PasswordDialog({ opened, ...rest }: PasswordDialogProps) {
  return (
    <Modal opened={opened} onClose={rest.onClose} title={`New password for ${rest.user.name}`} centered>
      <PasswordLink {...rest} />
    </Modal>
  );
}

function PasswordLink({ user, onClose }: Omit<PasswordDialogProps, 'opened'>) {
  const [made, setMade] = useState<PasswordResetView | null>(null);
  const make = useChange(
    () =>
      call<PasswordResetView>(`/portal/api/operator/users/${encodeURIComponent(user.user_id)}/password-reset`, {
        method: 'POST',
        body: {},
      }),
    { onDone: setMade },
  );
  if (made !== null) {
    return (
      <Stack>
        <HandedLink link={made.link} email={user.email} mailed={made.mailed} expiresAt={made.expires_at} label="password link" />
        <Group justify="flex-end">
          <Button onClick={onClose} autoFocus>
            Done
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <Stack>
      <Text size="sm">
        This makes a link with which {user.name} chooses a new password. Until it is used, the old password keeps working; afterwards they
        are signed out everywhere else.
      </Text>
      <Text size="sm">Make sure that it is really {user.name} who asks: whoever has the link can sign in as them.</Text>
      <FailureAlert error={make.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => make.mutate(undefined)} loading={make.isPending} data-autofocus>
          Make link
        </Button>
      </Group>
    </Stack>
  );
}
