import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { t } from '../../../language/language.ts';
import { Back } from '../../../parts/back.tsx';
import { InvitationPage } from '../../../parts/people/invitation-page.tsx';
import { type AccountOfPeople, ownInvitationQuery } from '../../../parts/people/members.ts';
import { invitationPage } from '../../../parts/people/pages.ts';
import { ForManagers } from './for-managers.tsx';

export default function OwnInvitationPage() {
  return <ForManagers>{(account) => <Invitation account={account} />}</ForManagers>;
}

function Invitation({ account }: { readonly account: AccountOfPeople }) {
  const { invitationId } = useParams({ from: '/signed-in/of-account/account/invitations/$invitationId' });
  const navigate = useNavigate();
  return (
    <InvitationPage
      back={
        <Back to="/account" search={{ part: 'members' }}>
          {t('All members')}
        </Back>
      }
      query={useQuery(ownInvitationQuery(account.account_id, invitationId))}
      at={{ account: account.account_id }}
      onResent={(made) => void navigate({ ...invitationPage(made, 'account'), replace: true })}
    />
  );
}
