import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { t } from '../../language/language.ts';
import { Back } from '../../parts/back.tsx';
import { KeyPage } from '../../parts/keys/key-page.tsx';
import { accountDetailQuery } from './queries.ts';

/** One key of any account this person administers. */
export default function AccountKeyPage() {
  const { accountId, keyId } = useParams({ from: '/signed-in/operator/accounts/$accountId/keys/$keyId' });
  // Keys of different accounts often have the same name.
  const { data: account } = useQuery(accountDetailQuery(accountId));
  return (
    <KeyPage
      back={
        <Back to="/operator/accounts/$accountId" params={{ accountId }}>
          {account?.name ?? t('The account')}
        </Back>
      }
      accountId={accountId}
      keyId={keyId}
    />
  );
}
