import { Paper } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { InvitationDetail } from '../../../../src/portal/wire/index.ts';
import { isMissing } from '../../api/is-missing.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../answered.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Facts } from '../facts.tsx';
import { ListLoading } from '../list-parts.tsx';
import { Moment } from '../moment.tsx';
import { PageHeader } from '../page-header.tsx';
import { ShownId } from '../shown-id.tsx';
import { InvitationActions, type InvitationActionsProps } from './invitation-actions.tsx';
import { InvitationState, invitationStateText } from './invitation-state.tsx';
import { roleName } from './role-name.ts';

interface InvitationOverviewProps extends Omit<InvitationActionsProps, 'invitation'> {
  readonly query: UseQueryResult<InvitationDetail>;
  /** To what it leads, where that is not the same for all that the reader sees. */
  readonly placeOf?: (invitation: InvitationDetail) => ReactNode;
}

/** One invitation: to what, by whom, and what became of it. */
export function InvitationOverview({ query, ...shown }: InvitationOverviewProps) {
  const missing = isMissing(query.error);
  return (
    <>
      {(query.data === undefined || missing) && <PageHeader title={t('Invitation')} />}
      {missing ? (
        <EmptyState
          icon={<IconMailOff size={28} />}
          title={t('No such invitation')}
          text={t('Invitations are forgotten a day after they could no longer be used.')}
        />
      ) : (
        <Answered query={query} loading={<ListLoading label={t('Loading the invitation')} rows={3} />}>
          {(found) => <Found key={found.invitation_id} invitation={found} {...shown} />}
        </Answered>
      )}
    </>
  );
}

function Found({ placeOf, ...actions }: Omit<InvitationOverviewProps, 'query'> & InvitationActionsProps) {
  const { invitation } = actions;
  const { invitation_id, email, role, state, made_by, created_at, expires_at, ended_at } = invitation;
  return (
    <>
      <PageHeader title={email} text={<InvitationState state={state} />}>
        <InvitationActions {...actions} />
      </PageHeader>
      <Paper withBorder radius="lg" px="md" py="xs" maw={900} component="section" aria-label={t('About the invitation')}>
        <Facts
          facts={[
            [t('State'), invitationStateText(state)],
            [t('E-mail address'), <ShownId key="email" id={email} label={t('e-mail address')} />],
            [t('Role'), roleName(role)],
            ...(placeOf === undefined ? [] : [[t('Access to'), placeOf(invitation)] as const]),
            [t('Created by'), made_by ?? t('The command line, or somebody who was removed')],
            [t('Created'), <Moment key="created" at={created_at} size="sm" />],
            [t('Valid until'), <Moment key="until" at={expires_at} size="sm" />],
            ...(ended_at === null ? [] : [[t('Ended on'), <Moment key="ended" at={ended_at} size="sm" />] as const]),
            [t('Invitation ID'), <ShownId key="id" id={invitation_id} label={t('invitation ID')} />],
          ]}
        />
      </Paper>
    </>
  );
}
