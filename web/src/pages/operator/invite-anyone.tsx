import { t } from '../../language/language.ts';
import { InviteDialog } from '../../parts/people/invite-dialog.tsx';
import { ownProviders, rolesOf, useSession } from '../../session/session.ts';
import { inviteAnywhere } from './invite-anywhere.ts';
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
      invite={inviteAnywhere}
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
