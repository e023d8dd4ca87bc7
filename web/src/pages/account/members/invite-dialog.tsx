import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { NewInvitationView } from '../../../../../src/portal/wire/index.ts';
import { Dialog } from '../../../parts/dialog.tsx';
import { DialogEnd } from '../../../parts/dialog-end.tsx';
import { HandedLink } from '../../../parts/handed-link.tsx';
import { type AccountRole, useInvite } from './members.ts';

interface InviteDialogProps {
  readonly opened: boolean;
  onClose(): void;
}

/** Invites somebody to the account; the link is shown once. */
export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  const invite = useInvite();
  const { data: made } = invite;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={invite.reset}
      title="Invite to the account"
      busy={invite.isPending}
      shownOnce={made !== undefined}
    >
      {made === undefined ? <InviteForm invite={invite} onClose={onClose} /> : <Made made={made} onClose={onClose} />}
    </Dialog>
  );
}

function Made({ made, onClose }: { readonly made: NewInvitationView; onClose(): void }) {
  return (
    <Stack>
      <Text size="sm" role="status">
        The invitation is ready.
      </Text>
      <HandedLink link={made.link} email={made.email} mailed={made.mailed} expiresAt={made.expires_at} label="invitation link" />
      <Group justify="flex-end">
        <Button onClick={onClose} autoFocus>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

function InviteForm({ invite, onClose }: { readonly invite: ReturnType<typeof useInvite>; onClose(): void }) {
  const [role, setRole] = useState<AccountRole>('member');
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    invite.mutate({ email: String(new FormData(event.currentTarget).get('email')).trim(), role });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="email" type="email" label="E-mail address" maxLength={254} required autoComplete="off" data-autofocus />
        <Radio.Group label="Role" value={role} onChange={(chosen) => setRole(chosen === 'owner' ? 'owner' : 'member')}>
          <Stack gap="xs" mt={6}>
            <Radio value="member" label="Member" description="Uses everything: numbers, keys and messages." />
            <Radio value="owner" label="Owner" description="The same, and decides who belongs to the account." />
          </Stack>
        </Radio.Group>
        <DialogEnd change={invite} onCancel={onClose}>
          Make invitation
        </DialogEnd>
      </Stack>
    </form>
  );
}
