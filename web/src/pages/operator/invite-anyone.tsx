import type { NewInvitationView } from '../../../../src/portal/wire/index.ts';
import { call } from '../../api/client.ts';
import { t } from '../../language/language.ts';
import { type Invitation, InviteDialog } from '../../parts/people/invite-dialog.tsx';
import { ownProviders, rolesOf, useSession } from '../../session/session.ts';
import { AccountSelect, ProviderSelect } from './place-selects.tsx';

/** Invites somebody to any role that this person may give. */
export function InviteAnyone({ opened, onClose }: { readonly opened: boolean; onClose(): void }) {
  const session = useSession();
  const { operator } = rolesOf(session);
  const [provider = null, another] = ownProviders(session);
  return (
    <InviteDialog
      opened={opened}
      title={t('Invite a person')}
      roles={operator ? ['owner', 'member', 'provider_admin', 'operator'] : ['owner', 'member', 'provider_admin']}
      invite={send}
      at="anywhere"
      place={{
        // Somebody who runs just one provider invites to that one.
        provider_id: another === undefined ? provider : null,
        fields: (form) => {
          switch (form.values.role) {
            case 'owner':
            case 'member':
              return <AccountSelect label={t('Account')} required {...form.getInputProps('account_id')} />;
            case 'provider_admin':
              return <ProviderSelect {...form.getInputProps('provider_id')} />;
            case 'operator':
              return null;
          }
        },
      }}
      onClose={onClose}
    />
  );
}

function send({ email, role, account_id, provider_id }: Invitation): Promise<NewInvitationView> {
  const ofAccount = role === 'owner' || role === 'member';
  return call('/portal/api/operator/invitations', {
    method: 'POST',
    body: { email, role, ...(ofAccount ? { account_id } : {}), ...(role === 'provider_admin' ? { provider_id } : {}) },
  });
}
