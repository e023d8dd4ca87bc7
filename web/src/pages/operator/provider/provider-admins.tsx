import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMailPlus } from '@tabler/icons-react';
import type { ProviderDetail } from '../../../../../src/portal/wire/operator.ts';
import { t } from '../../../language/language.ts';
import { EmptyPanel } from '../../../parts/empty-panel.tsx';
import { Moment } from '../../../parts/moment.tsx';
import { InviteDialog } from '../../../parts/people/invite-dialog.tsx';
import { PersonName } from '../../../parts/people/person-name.tsx';
import { RecordTable } from '../../../parts/record-table.tsx';
import { Section } from '../../../parts/section.tsx';
import { inviteAnywhere } from '../invite-anywhere.ts';

/** Who runs the accounts of a provider. */
export function ProviderAdmins({ provider: { provider_id, name, admins } }: { readonly provider: ProviderDetail }) {
  const [inviting, { open, close }] = useDisclosure(false);
  return (
    <Section
      title={t('Admins')}
      actions={
        <Button variant="default" leftSection={<IconMailPlus size={18} aria-hidden />} onClick={open}>
          {t('Invite an admin')}
        </Button>
      }
    >
      {admins.length === 0 ? (
        <EmptyPanel>{t('Nobody yet. An admin runs the accounts of this provider, and nothing beyond them.')}</EmptyPanel>
      ) : (
        <RecordTable
          label={t('Admins')}
          rows={admins}
          keyOf={({ user_id }) => user_id}
          columns={[
            { label: t('Person'), cell: (admin) => <PersonName person={admin} pages="administrators" /> },
            { label: t('Two-factor'), cell: ({ two_factor }) => (two_factor ? t('On') : t('Off')) },
            { label: t('Joined'), cell: ({ joined_at }) => <Moment at={joined_at} day size="sm" /> },
          ]}
        />
      )}
      <InviteDialog
        opened={inviting}
        title={t('Invite to {{name}}', { name })}
        roles={['provider_admin']}
        at="anywhere"
        invite={({ email }) => inviteAnywhere({ email, role: 'provider_admin', account_id: null, provider_id })}
        onClose={close}
      />
    </Section>
  );
}
