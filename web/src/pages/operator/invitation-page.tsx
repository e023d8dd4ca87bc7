import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { Back } from '../../parts/back.tsx';
import { InvitationPage } from '../../parts/people/invitation-page.tsx';
import { invitationPage } from '../../parts/people/pages.ts';
import { PlaceLink } from './place-link.tsx';
import { invitationQuery } from './queries.ts';

/** One invitation to anything that the person administers. */
export default function AnyInvitationPage() {
  const { invitationId } = useParams({ from: '/signed-in/operator/users/invitations/$invitationId' });
  const navigate = useNavigate();
  return (
    <InvitationPage
      back={<Back to="/operator/users/invitations">{t('Pending invitations')}</Back>}
      query={useQuery(invitationQuery(invitationId))}
      at="anywhere"
      placeOf={({ account_id, provider_id, leads_to }) => <PlaceLink accountId={account_id} providerId={provider_id} name={leads_to} />}
      onResent={(made) => void navigate({ ...invitationPage(made, 'administrators'), replace: true })}
    />
  );
}
