import { Paper } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InvitationDetail } from '../../../../src/portal/wire/operator.ts';
import { t } from '../../language/language.ts';
import { Facts } from '../facts.tsx';
import { ListLoading } from '../list-parts.tsx';
import { Moment } from '../moment.tsx';
import { ObjectPage } from '../object-page.tsx';
import { ShownId } from '../shown-id.tsx';
import { InvitationActions, type InvitationActionsProps } from './invitation-actions.tsx';
import { InvitationState, invitationStateText } from './invitation-state.tsx';
import { roleName } from './role-name.ts';

interface InvitationPageProps extends Omit<InvitationActionsProps, 'invitation'>, AboutProps {
  readonly back: ReactNode;
  readonly query: UseQueryResult<InvitationDetail>;
}

interface AboutProps {
  /** To what it leads, where that is not the same for all that the reader sees. */
  readonly placeOf?: (invitation: InvitationDetail) => ReactNode;
}

/** The page of one invitation: to what, by whom, and what became of it. */
export function InvitationPage({ back, query, placeOf, ...actions }: InvitationPageProps) {
  return (
    <ObjectPage
      back={back}
      query={query}
      title={t('Invitation')}
      titleOf={({ email }) => email}
      textOf={({ state }) => <InvitationState state={state} />}
      actions={(invitation) => <InvitationActions key={invitation.invitation_id} invitation={invitation} {...actions} />}
      missing={{
        icon: <IconMailOff size={28} />,
        title: t('No such invitation'),
        text: t('Invitations are forgotten a day after they could no longer be used.'),
      }}
      loading={<ListLoading label={t('Loading the invitation')} rows={3} />}
    >
      {(invitation) => <About invitation={invitation} {...(placeOf === undefined ? {} : { placeOf })} />}
    </ObjectPage>
  );
}

function About({ invitation, placeOf }: AboutProps & { readonly invitation: InvitationDetail }) {
  const { invitation_id, email, role, state, made_by, created_at, expires_at, ended_at } = invitation;
  return (
    <Paper withBorder radius="lg" px="md" py="xs" maw={900} component="section" aria-label={t('About the invitation')}>
      <Facts
        facts={[
          [t('State'), invitationStateText(state)],
          [t('E-mail address'), <ShownId key="email" id={email} label={t('e-mail address')} />],
          [t('Role'), roleName(role)],
          ...(placeOf === undefined ? [] : [[t('Access to'), placeOf(invitation)] as const]),
          [t('Created by', { context: 'invitation' }), made_by ?? t('The command line, or somebody who was removed')],
          [t('Created', { context: 'invitation' }), <Moment key="created" at={created_at} size="sm" />],
          [t('Valid until'), <Moment key="until" at={expires_at} size="sm" />],
          ...(ended_at === null ? [] : [[t('Ended on'), <Moment key="ended" at={ended_at} size="sm" />] as const]),
          [t('Invitation ID'), <ShownId key="id" id={invitation_id} label={t('invitation ID')} />],
        ]}
      />
    </Paper>
  );
}
