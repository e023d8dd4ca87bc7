import { Paper } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { InvitationDetail } from '../../../../src/portal/wire/index.ts';
import { isMissing } from '../../api/is-missing.ts';
import { t } from '../../language/language.ts';
import { Answered } from '../../parts/answered.tsx';
import { Back } from '../../parts/back.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ListLoading } from '../../parts/list-parts.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { roleName } from '../../parts/people/role-name.ts';
import { ShownId } from '../../parts/shown-id.tsx';
import { InvitationActions } from './invitation-actions.tsx';
import { InvitationState, invitationStateText } from './invitation-state.tsx';
import { PlaceLink } from './place-link.tsx';
import { invitationQuery } from './queries.ts';

/** One invitation: to what, by whom, and what became of it. */
export default function InvitationPage() {
  const { invitationId } = useParams({ from: '/signed-in/operator/users/invitations/$invitationId' });
  const invitation = useQuery(invitationQuery(invitationId));
  const missing = isMissing(invitation.error);
  return (
    <>
      <Back to="/operator/users/invitations">{t('Pending invitations')}</Back>
      {(invitation.data === undefined || missing) && <PageHeader title={t('Invitation')} />}
      {missing ? (
        <EmptyState
          icon={<IconMailOff size={28} />}
          title={t('No such invitation')}
          text={t('Invitations are forgotten a day after they could no longer be used.')}
        />
      ) : (
        <Answered query={invitation} loading={<ListLoading label={t('Loading the invitation')} rows={3} />}>
          {(found) => <Found key={found.invitation_id} invitation={found} />}
        </Answered>
      )}
    </>
  );
}

function Found({ invitation }: { readonly invitation: InvitationDetail }) {
  const { invitation_id, email, role, leads_to, account_id, provider_id, state, made_by, created_at, expires_at, ended_at } = invitation;
  return (
    <>
      <PageHeader title={email} text={<InvitationState state={state} />}>
        <InvitationActions invitation={invitation} />
      </PageHeader>
      <Paper withBorder radius="lg" px="md" py="xs" maw={900} component="section" aria-label={t('About the invitation')}>
        <Facts
          facts={[
            [t('State'), invitationStateText(state)],
            [t('E-mail address'), <ShownId key="email" id={email} label={t('e-mail address')} />],
            [t('Role'), roleName(role)],
            [t('Access to'), <PlaceLink key="place" accountId={account_id} providerId={provider_id} name={leads_to} />],
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
