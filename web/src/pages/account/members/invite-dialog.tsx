import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { NewInvitationView } from '../../../../../src/portal/wire/index.ts';
import { DialogEnd } from '../../../parts/dialog-end.tsx';
import { HandedLink } from '../../../parts/handed-link.tsx';
import { type AccountRole, useInvite } from './members.ts';

interface InviteDialogProps {
  readonly opened: boolean;
  onClose(): void;
}

/** Invites somebody to the account; the link is shown once. */
export function InviteDialog({ opened, onClose }: InviteDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Invite to the account" centered closeOnClickOutside={false}>
      <Invite onClose={onClose} />
    </Modal>
  );
}

function Invite({ onClose }: Pick<InviteDialogProps, 'onClose'>) {
  const [made, setMade] = useState<NewInvitationView | null>(null);
  if (made === null) return <InviteForm onMade={setMade} onClose={onClose} />;
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

function InviteForm({ onMade, onClose }: { onMade(invitation: NewInvitationView): void; onClose(): void }) {
  const [role, setRole] = useState<AccountRole>('member');
  const invite = useInvite(onMade);
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
