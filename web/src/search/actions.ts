import { IconDeviceMobile, IconKey, IconPalette, IconSend, IconUserPlus } from '@tabler/icons-react';
import type { PortalSession } from '../../../src/portal/wire/session.ts';
import { t } from '../language/language.ts';
import { rolesOf } from '../session/session.ts';
import { entriesOf } from '../shell/entries.ts';
import type { Choice } from './choice.ts';

/** The pages that the person can open. */
export function pageChoices(session: PortalSession, manages: boolean): readonly Choice[] {
  const { ofAccount, administered } = entriesOf(session, manages);
  return [...ofAccount, ...administered].map(({ to, label, icon }) => ({ id: `page ${to}`, label, icon, href: to }));
}

/** What the person can do from anywhere. */
export function actionChoices(session: PortalSession): readonly Choice[] {
  const { account, memberships } = session;
  const { operator, providerAdmin } = rolesOf(session);
  const owns = memberships.some(({ role, account_id }) => role === 'owner' && account_id === account?.account_id);
  const description = account?.name;
  const ofAccount: readonly Choice[] =
    account === null
      ? []
      : [
          { id: 'add number', label: t('Add a number'), description, icon: IconDeviceMobile, href: '/numbers?add=true' },
          { id: 'new key', label: t('Create an API key'), description, icon: IconKey, href: '/keys?add=true' },
          { id: 'send', label: t('Send a message'), description, icon: IconSend, href: '/send' },
          ...(owns || operator || providerAdmin
            ? [{ id: 'invite', label: t('Invite someone to the account'), description, icon: IconUserPlus, href: '/account?part=members' }]
            : []),
        ];
  return [
    ...ofAccount,
    ...(operator || providerAdmin ? [{ id: 'invite anyone', label: t('Invite people'), icon: IconUserPlus, href: '/operator/users' }] : []),
    // Each provider has its own; that of the built-in one is the gateway's in most installations.
    ...(operator
      ? [{ id: 'brand', label: t('Brand: name, logo, colour'), icon: IconPalette, href: '/operator/providers/default/brand' }]
      : []),
  ];
}
