import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { NewInvitationView, Role } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogEnd } from '../../parts/dialog-end.tsx';
import { HandedLink } from '../../parts/handed-link.tsx';
import { roleName } from '../../parts/role-name.ts';
import { rolesOf, useSession } from '../../session/session.ts';
import { AccountSelect, ProviderSelect } from './place-selects.tsx';
import { useChange } from './use-change.ts';

interface InviteDialogProps {
  readonly opened: boolean;
  /** The account it leads to; null: any place, which is chosen with the role. */
  readonly account: { readonly account_id: string; readonly name: string } | null;
  onClose(): void;
}

const roleTexts: Readonly<Record<Role, string>> = {
  operator: 'Runs the whole gateway: every account, provider and plan.',
  provider_admin: 'Runs the accounts of one provider, but nothing beyond them.',
  owner: 'Uses an account and decides who else may.',
  member: 'Uses an account: numbers, keys and messages.',
};

/** Invites somebody to a role; the link is shown once. */
export function InviteDialog({ opened, account, onClose }: InviteDialogProps) {
  const invite = useChange((body: InvitationBody) => call<NewInvitationView>('/portal/api/operator/invitations', { method: 'POST', body }));
  const { data: made } = invite;
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onClosed={invite.reset}
      title={account === null ? 'Invite a person' : `Invite to ${account.name}`}
      busy={invite.isPending}
      shownOnce={made !== undefined}
    >
      {made === undefined ? <InviteForm account={account} invite={invite} onClose={onClose} /> : <Made made={made} onClose={onClose} />}
    </Dialog>
  );
}

function Made({ made, onClose }: { readonly made: NewInvitationView; onClose(): void }) {
  return (
    <Stack>
      <Text size="sm" role="status">
        The invitation as {roleName(made.role).toLowerCase()}
        {made.leads_to === null ? '' : ` of ${made.leads_to}`} is ready.
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

interface InvitationBody {
  readonly email: string;
  readonly role: Role;
  readonly account_id?: string | null;
  readonly provider_id?: string | null;
}

interface InviteFormProps {
  readonly account: InviteDialogProps['account'];
  readonly invite: { readonly error: unknown; readonly isPending: boolean; mutate(body: InvitationBody): void };
  onClose(): void;
}

function InviteForm({ account, invite, onClose }: InviteFormProps) {
  const roles = useInvitableRoles(account !== null);
  const [role, setRole] = useState<Role>('owner');
  const [accountId, setAccountId] = useState<string | null>(account?.account_id ?? null);
  const [providerId, setProviderId] = useState(useOnlyProvider());
  const ofAccount = role === 'owner' || role === 'member';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    invite.mutate({
      email: String(new FormData(event.currentTarget).get('email')).trim(),
      role,
      ...(ofAccount ? { account_id: accountId } : {}),
      ...(role === 'provider_admin' ? { provider_id: providerId } : {}),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput name="email" type="email" label="E-mail address" maxLength={254} required autoComplete="off" data-autofocus />
        <Radio.Group label="Role" value={role} onChange={(chosen) => setRole(chosen as Role)}>
          <Stack gap="xs" mt={6}>
            {roles.map((one) => (
              <Radio key={one} value={one} label={roleName(one)} description={roleTexts[one]} />
            ))}
          </Stack>
        </Radio.Group>
        {account === null && ofAccount && <AccountSelect label="Account" value={accountId} onChange={setAccountId} required />}
        {role === 'provider_admin' && <ProviderSelect value={providerId} onChange={setProviderId} />}
        <DialogEnd change={invite} onCancel={onClose}>
          Make invitation
        </DialogEnd>
      </Stack>
    </form>
  );
}

/** A provider admin invites to everything but the operators. */
function useInvitableRoles(toAccount: boolean): readonly Role[] {
  const { operator } = rolesOf(useSession());
  if (toAccount) return ['owner', 'member'];
  return operator ? ['owner', 'member', 'provider_admin', 'operator'] : ['owner', 'member', 'provider_admin'];
}

/** The provider of somebody who administers just one. */
function useOnlyProvider(): string | null {
  const { memberships } = useSession();
  const [first = null, second] = memberships.flatMap(({ provider_id }) => provider_id ?? []);
  return second === undefined ? first : null;
}
